/* test_report_parts.c - are a report's short numbers, lines and figures what they should be? */
#include "figures/figure_frame.h"
#include "figures/lines.h"
#include "test_support.h"

static void numbers_are_short(void **state)
{
    char text[REPORT_NUMBER_BYTES];
    (void)state;
    assert_string_equal(report_bytes(0, text), "0 B");
    assert_string_equal(report_bytes(999, text), "999 B");
    assert_string_equal(report_bytes(999.6, text), "1 KB");
    assert_string_equal(report_bytes(16777216, text), "16.8 MB");
    assert_string_equal(report_time(1770000, text), "1.77 ms");
    assert_string_equal(report_amount(999999, text), "999,999");
    assert_string_equal(report_amount(2097152, text), "2.1 million");
}

static void lines_of_a_text_count_from_1(void **state)
{
    static const char text[] = "one\n\nthree";
    size_t length = 9;
    (void)state;
    assert_ptr_equal(source_line(text, 1, &length), text);
    assert_int_equal(length, 3);
    assert_non_null(source_line(text, 2, &length));
    assert_int_equal(length, 0);
    assert_ptr_equal(source_line(text, 3, &length), text + 5);
    assert_int_equal(length, 5);
    assert_null(source_line(text, 4, &length));
    assert_null(source_line(text, 0, &length));
    assert_null(source_line("ends\n", 2, &length));
    assert_null(source_line(NULL, 1, &length));
}

static void a_line_costs_passes_or_sectors(void **state)
{
    char words[LINE_WORDS_BYTES];
    struct counters counters[2] = {{0}};
    struct result_part lines[] = {{.line = 8, .op = OP_STORE, .counters = &counters[0]},
                                  {.line = 9, .space = SPACE_SHARED, .counters = &counters[1]}};
    const struct result result = {.lines = lines, .line_count = 2};
    (void)state;
    counters[0].global_store_sectors = 1000;
    counters[0].global_store_ideal_sectors = 125;
    counters[1].shared_load_passes = 320;
    counters[1].shared_load_ideal_passes = 10;
    const struct line_cost stores = line_cost(&lines[0]), shared = line_cost(&lines[1]);
    assert_string_equal(stores.unit, "sectors");
    assert_int_equal(stores.actual, 1000);
    assert_int_equal(stores.ideal, 125);
    assert_string_equal(line_words(&stores, words), "8 x ideal");
    assert_string_equal(shared.unit, "passes");
    assert_string_equal(line_words(&shared, words), "32 x ideal");
    assert_int_equal(line_most(&result, "sectors"), 1000);
    assert_int_equal(line_most(&result, "passes"), 320);
    assert_ptr_equal(figure_costliest_line(&result), &lines[0]);
}

static void figures_have_names_of_their_own_and_all_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < figure_count; i++) {
        assert_ptr_equal(figure_named(figures[i].name), &figures[i]);
        assert_true(figures[i].title && figures[i].shows && figures[i].basis);
        assert_true(figures[i].has && figures[i].write);
    }
    assert_null(figure_named("help"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(lines_of_a_text_count_from_1),
        cmocka_unit_test(a_line_costs_passes_or_sectors),
        cmocka_unit_test(figures_have_names_of_their_own_and_all_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
