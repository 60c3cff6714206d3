/* test_report_parts.c - does the verdict say what holds a run up, and are a report's short numbers, lines and
 * figures what they should be? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "figures/figure_parts.h"
#include "figures/lines.h"
#include "html/run_verdict.h"
#include "models/models.h"
#include "test_support.h"

/* A run with one line that loads, one that stores, one of shared memory. */
enum { LOADS, STORES, SHARED, LINES };

struct run {
    struct result result;
    struct result_part lines[LINES];
    struct run_info info;
};

static void run_start(struct run *run)
{
    memset(run, 0, sizeof *run);
    run->lines[LOADS] = (struct result_part){.file = "a.c", .line = 7};
    run->lines[STORES] = (struct result_part){.file = "a.c", .line = 8, .op = OP_STORE};
    run->lines[SHARED] = (struct result_part){.file = "a.c", .line = 9, .space = SPACE_SHARED};
    run->info.kernel = (char *)(uintptr_t) "k";
    run->result.info = &run->info;
    run->result.lines = run->lines;
    run->result.line_count = LINES;
    run->result.gpu = models_find("gtx280");
    run->result.total.launches = 1;
    run->result.total.blocks = 1000;
    arch_from_model(run->result.gpu, &run->result.judge.arch);
}

static void sum_lines(struct run *run)
{
    for (size_t i = 0; i < LINES; i++)
        counters_add(&run->result.total, &run->lines[i].counters);
}

/* Half of the sectors are excessive, most of them of the stores. */
static void waste(struct run *run)
{
    run->lines[LOADS].counters.global_load_sectors = 400;
    run->lines[LOADS].counters.global_load_ideal_sectors = 400;
    run->lines[STORES].counters.global_store_sectors = 1000;
    run->lines[STORES].counters.global_store_ideal_sectors = 125;
}

static void conflict(struct run *run)
{
    run->lines[SHARED].counters.shared_load_passes = 320;
    run->lines[SHARED].counters.shared_load_ideal_passes = 10;
}

/* The sentence when `limiter` held the run up for `limited` of its time. */
static void check_sentence(struct run *run, enum resource limiter, double limited,
                           const char *expected)
{
    char *text = NULL;
    size_t bytes;
    sum_lines(run);
    struct verdict_facts facts = verdict_facts_of(&run->result);
    facts.limiter = limiter;
    facts.limited = limited;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    verdict_write(&facts, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
    free(text);
}

static void a_hot_partition_is_named_with_its_line(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.lines[STORES].counters.camped_bytes = 10;
    run.lines[LOADS].counters.camped_bytes = 1;
    run.result.total.hottest_partition_bytes = 37;
    run.result.total.mean_partition_bytes = 10;
    check_sentence(&run, USE_PARTITION, 0.76,
                   "Held up by one hot DRAM partition 76 % of the time: stores of a.c:8 go to one "
                   "partition at a time (camping index 3.7).");
}

static void waste_is_named_where_it_goes_through_the_limiter(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(&run, USE_DRAM, 0.95,
                   "Held up by DRAM bandwidth 95 % of the time, and 62 % of the sectors are "
                   "excessive: stores of a.c:8 move 1,000 sectors where 125 would do.");
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(&run, USE_SHARED, 0.5,
                   "Held up by bank conflicts in shared memory 50 % of the time: shared loads of "
                   "a.c:9 take 32 passes where 1 would do.");
    run_start(&run);
    waste(&run);
    check_sentence(&run, USE_L2, 0.7,
                   "Held up by L2 70 % of the time: stores of a.c:8 move 1,000 sectors where 125 "
                   "would do.");
}

static void what_is_well_is_said_to_be_well(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.result.total.elapsed_ns = 1000;
    run.result.total.dram_read_sectors = 3542; /* 113 GB/s of 141.7 */
    check_sentence(&run, USE_DRAM, 0.99,
                   "Held up by DRAM bandwidth 99 % of the time, at 80 % of its peak, and little of "
                   "what moves is wasted: only moving less would be faster.");
    run_start(&run);
    check_sentence(
        &run, USE_ISSUE, 0.9,
        "Held up by instruction issue 90 % of the time: memory keeps up with this kernel.");
}

static void latency_has_its_reasons(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.result.total.blocks = 4;
    check_sentence(&run, USE_LATENCY, 1,
                   "Nothing is near its limit 100 % of the time: 4 blocks are too few for 30 SMs.");
    run_start(&run);
    run.result.total.resident_warp_cycles = 25;
    run.result.total.warp_room_cycles = 100;
    check_sentence(&run, USE_LATENCY, 1,
                   "Nothing is near its limit 100 % of the time: warps wait for answers, and with "
                   "25 % of the SMs' room for warps in use there are too few others to run "
                   "meanwhile.");
}

static void page_faults_come_first(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    run.result.total.elapsed_ns = 100;
    run.result.total.fault_group_ns = 90;
    run.result.total.page_faults = 1024;
    check_sentence(&run, USE_HOST, 0.5,
                   "Waits for managed memory: 1,024 page faults take 90 % of the time; a prefetch "
                   "moves pages before the kernel needs them.");
}

static void without_time_the_rules_speak(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    check_sentence(
        &run, USE_ISSUE, 0,
        "By the rules alone, layout costs most: stores of a.c:8 move 1,000 sectors where "
        "125 would do.");
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(
        &run, USE_ISSUE, 0,
        "By the rules alone, bank conflicts cost most: shared loads of a.c:9 take 32 passes "
        "where 1 would do.");
}

static void numbers_are_short(void **state)
{
    char text[REPORT_NUMBER_BYTES];
    (void)state;
    assert_string_equal(figure_bytes(0, text), "0 B");
    assert_string_equal(figure_bytes(999, text), "999 B");
    assert_string_equal(figure_bytes(999.6, text), "1 KB");
    assert_string_equal(figure_bytes(16777216, text), "16.8 MB");
    assert_string_equal(figure_time(1770000, text), "1.77 ms");
    assert_string_equal(figure_amount(999999, text), "999,999");
    assert_string_equal(figure_amount(2097152, text), "2.1 million");
}

static void lines_of_a_text_count_from_1(void **state)
{
    static const char text[] = "one\n\nthree";
    size_t length = 9;
    (void)state;
    assert_ptr_equal(line_of_text(text, 1, &length), text);
    assert_int_equal(length, 3);
    assert_non_null(line_of_text(text, 2, &length));
    assert_int_equal(length, 0);
    assert_ptr_equal(line_of_text(text, 3, &length), text + 5);
    assert_int_equal(length, 5);
    assert_null(line_of_text(text, 4, &length));
    assert_null(line_of_text(text, 0, &length));
    assert_null(line_of_text("ends\n", 2, &length));
    assert_null(line_of_text(NULL, 1, &length));
}

static void a_line_costs_passes_or_sectors(void **state)
{
    struct run run;
    char words[LINE_WORDS_BYTES];
    (void)state;
    run_start(&run);
    waste(&run);
    conflict(&run);
    const struct line_cost stores = line_cost(&run.lines[STORES]),
                           shared = line_cost(&run.lines[SHARED]);
    assert_string_equal(stores.unit, "sectors");
    assert_int_equal(stores.actual, 1000);
    assert_int_equal(stores.ideal, 125);
    assert_string_equal(line_words(&stores, words), "8 x ideal");
    assert_string_equal(shared.unit, "passes");
    assert_string_equal(line_words(&shared, words), "32 x ideal");
    assert_int_equal(line_most(&run.result, "sectors"), 1000);
    assert_int_equal(line_most(&run.result, "passes"), 320);
    assert_ptr_equal(figure_costliest_line(&run.result), &run.lines[STORES]);
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
        cmocka_unit_test(a_hot_partition_is_named_with_its_line),
        cmocka_unit_test(waste_is_named_where_it_goes_through_the_limiter),
        cmocka_unit_test(what_is_well_is_said_to_be_well),
        cmocka_unit_test(latency_has_its_reasons),
        cmocka_unit_test(page_faults_come_first),
        cmocka_unit_test(without_time_the_rules_speak),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(lines_of_a_text_count_from_1),
        cmocka_unit_test(a_line_costs_passes_or_sectors),
        cmocka_unit_test(figures_have_names_of_their_own_and_all_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
