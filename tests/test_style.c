/* test_style.c - is a report styled only where somebody can see it, and are its tables aligned all the same? */
#include <stdlib.h>

#include "report/table.h"
#include "test_support.h"

static void styles_are_for_terminals(void **state)
{
    (void)state;
    assert_true(style_is_wanted(STYLES_AUTO, true, NULL, "xterm"));
    assert_true(style_is_wanted(STYLES_AUTO, true, "", NULL));
    assert_false(style_is_wanted(STYLES_AUTO, false, NULL, "xterm"));
    assert_false(style_is_wanted(STYLES_AUTO, true, "1", "xterm"));
    assert_false(style_is_wanted(STYLES_AUTO, true, NULL, "dumb"));
    assert_true(style_is_wanted(STYLES_ALWAYS, false, "1", "dumb"));
    assert_false(style_is_wanted(STYLES_NEVER, true, NULL, "xterm"));
}

static void a_style_is_off_until_it_is_used(void **state)
{
    (void)state;
    assert_string_equal(style_begin(STYLE_BAD), "");
    assert_string_equal(style_end(STYLE_BAD), "");
    style_use(true);
    assert_string_equal(style_begin(STYLE_BAD), "\033[31m");
    assert_string_equal(style_end(STYLE_BAD), "\033[0m");
    assert_string_equal(style_begin(STYLE_PLAIN), "");
    assert_string_equal(style_end(STYLE_PLAIN), "");
    style_use(false);
    assert_string_equal(style_begin(STYLE_BAD), "");
}

/* Two rows of three columns, the middle one to the right; styles, empty cells and letters of two bytes. */
static void assert_table(bool is_styled, const char *expected)
{
    char *text;
    size_t bytes;
    struct table table;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    style_use(is_styled);
    table_start(&table, 3, "lrl");
    table_cell(&table, "größe");
    table_cell(&table, "µs");
    table_heading(&table);
    table_cell(&table, "a");
    table_style(&table, STYLE_GOOD);
    table_cell(&table, "1234");
    table_cell(&table, "plain again");
    table_row(&table);
    table_print(&table, 1, out);
    style_use(false);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void tables_are_aligned_by_columns(void **state)
{
    (void)state;
    assert_table(false, " größe    µs\n"
                        " a      1234  plain again\n");
    assert_table(true, " \033[1mgröße\033[0m    \033[1mµs\033[0m\n"
                       " a      \033[32m1234\033[0m  plain again\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(styles_are_for_terminals),
        cmocka_unit_test(a_style_is_off_until_it_is_used),
        cmocka_unit_test(tables_are_aligned_by_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
