/* test_diff.c - has every run and every access its right partner in the other result, and none where it could
 * be several? */
#include <string.h>

#include "gate/diff.h"
#include "gate_sheets.h"
#include "test_support.h"

#define LOAD(file, line, array, sectors)                                                           \
    GATE_LINE(file, line, "global", "load", array, "\"global_load_sectors\":" sectors)
#define STORE(file, line, array, sectors)                                                          \
    GATE_LINE(file, line, "global", "store", array, "\"global_store_sectors\":" sectors)
#define RUN(lines) GATE_RUN("k", "h200", GATE_NCU, "\"warps\":1", lines)

struct both {
    struct sheets before, after;
    struct diff diff;
};

static struct both compare(const char *before, const char *after)
{
    struct both both = {.before = gate_sheets(before), .after = gate_sheets(after)};
    assert_true(diff_start(&both.diff, &both.before, &both.after));
    return both;
}

static void end(struct both *both)
{
    diff_free(&both->diff);
    sheets_free(&both->before);
    sheets_free(&both->after);
}

/* The line after that a line before has become; 0: none. */
static uint32_t partner_of(const struct both *both, uint32_t line)
{
    const struct diff_pair *pair = &both->diff.pairs[0];
    for (size_t i = 0; i < pair->match_count; i++)
        if (pair->matches[i].before.line && pair->matches[i].before.line->line == line)
            return pair->matches[i].after.line ? pair->matches[i].after.line->line : 0;
    fail_msg("line %u is lost", line);
    return 0;
}

static void test_same_lines(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "1") "," LOAD("a.cu", "4", "x", "1")),
                               RUN(LOAD("a.cu", "3", "x", "2") "," LOAD("a.cu", "4", "x", "1")));
    assert_int_equal(partner_of(&both, 3), 3);
    assert_int_equal(partner_of(&both, 4), 4);
    end(&both);
}

/* All lines have moved by one: the line below is another access, and not the partner. */
static void test_moved_lines(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "1") "," LOAD("a.cu", "4", "y", "1")),
                               RUN(LOAD("a.cu", "4", "x", "1") "," LOAD("a.cu", "5", "y", "1")));
    assert_int_equal(partner_of(&both, 3), 4);
    assert_int_equal(partner_of(&both, 4), 5);
    end(&both);
}

static void test_other_file(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "1") "," STORE("a.cu", "4", "x", "1")),
                               RUN(STORE("b.cu", "8", "x", "1") "," LOAD("b.cu", "9", "x", "1")));
    assert_int_equal(partner_of(&both, 3), 9);
    assert_int_equal(partner_of(&both, 4), 8);
    end(&both);
}

/* Two lines load x where one did: which it was is not known. Nor is it of arrays without a name. */
static void test_ambiguous(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "1")),
                               RUN(LOAD("b.cu", "8", "x", "1") "," LOAD("b.cu", "9", "x", "1")));
    assert_int_equal(partner_of(&both, 3), 0);
    assert_int_equal(both.diff.pairs[0].match_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(both.diff.pairs[0].matches[i].is_ambiguous);
    end(&both);
    both = compare(RUN(LOAD("a.cu", "3", "", "1")), RUN(LOAD("b.cu", "8", "", "1")));
    assert_int_equal(partner_of(&both, 3), 0);
    end(&both);
}

static void test_renamed_array(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "1")), RUN(LOAD("a.cu", "3", "y", "1")));
    assert_int_equal(partner_of(&both, 3), 3);
    end(&both);
}

static void test_runs(void **state)
{
#define ON(kernel, gpu) GATE_RUN(kernel, gpu, GATE_NCU, "\"warps\":1", "")
    (void)state;
    struct both both =
        compare(ON("a", "h200") "," ON("a", "v100"), ON("b", "v100") "," ON("b", "h200"));
    assert_int_equal(both.diff.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(both.diff.pairs[i].before->run.gpu, both.diff.pairs[i].after->run.gpu);
    end(&both);
    both = compare(ON("a", "h200") "," ON("b", "h200"), ON("b", "h200"));
    assert_null(both.diff.pairs[0].after);
    assert_string_equal(both.diff.pairs[1].after->run.kernel, "b");
    end(&both);
    both = compare(ON("a", "h200"), ON("b", "v100"));
    assert_int_equal(both.diff.count, 1);
    end(&both);
#undef ON
}

struct seen {
    unsigned better, worse, rows;
};

static void see(void *context, const struct diff_row *row)
{
    struct seen *seen = context;
    seen->rows++;
    seen->better += strcmp(diff_word(row), "better") == 0;
    seen->worse += strcmp(diff_word(row), "worse") == 0;
}

/* Of a kind of access the counters with its name, of a line with one kind all; what is equal is left out. */
static void test_rows(void **state)
{
    (void)state;
    struct both both = compare(RUN(LOAD("a.cu", "3", "x", "4")), RUN(LOAD("a.cu", "3", "x", "2")));
    struct seen seen = {0};
    assert_int_equal(diff_each_row(&both.diff.pairs[0], NULL, "all", &seen, see), 0);
    assert_int_equal(seen.rows, 0);
    diff_each_row(&both.diff.pairs[0], &both.diff.pairs[0].matches[0], "all", &seen, see);
    assert_int_equal(seen.rows, 1);
    assert_int_equal(seen.better, 1);
    diff_each_row(&both.diff.pairs[0], NULL, "warps,launches", &seen, see);
    assert_int_equal(seen.rows, 3);
    assert_int_equal(seen.worse, 0);
    assert_true(diff_differs(&both.diff, NULL));
    assert_false(diff_differs(&both.diff, "warps"));
    end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_lines),    cmocka_unit_test(test_moved_lines),
        cmocka_unit_test(test_other_file),    cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_renamed_array), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
