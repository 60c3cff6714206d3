/* test_verdict.c - does a report's verdict say what holds a run up, and blame only accesses that have to do with it? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "report/verdict_facts.h"
#include "test_support.h"

/* A run with one line that loads, one that stores, one of shared memory. */
enum { LOADS, STORES, SHARED, ACCESSES };

struct run {
    struct result result;
    struct result_part accesses[ACCESSES];
    struct counters counters[ACCESSES];
    struct run_info info;
};

static void run_start(struct run *run)
{
    memset(run, 0, sizeof *run);
    run->accesses[LOADS] = (struct result_part){.file = "a.c", .line = 7, .array = "in"};
    run->accesses[STORES] =
        (struct result_part){.file = "a.c", .line = 8, .op = OP_STORE, .array = "out"};
    run->accesses[SHARED] =
        (struct result_part){.file = "a.c", .line = 9, .space = SPACE_SHARED, .array = ""};
    for (size_t i = 0; i < ACCESSES; i++)
        run->accesses[i].counters = &run->counters[i];
    run->info.kernel = (char *)(uintptr_t) "k";
    run->result.info = &run->info;
    run->result.accesses = run->accesses;
    run->result.access_count = ACCESSES;
    run->result.gpu = models_find("gtx280");
    run->result.total.launches = 1;
    run->result.total.blocks = 1000;
    arch_from_model(run->result.gpu, &run->result.arch);
}

static void sum_accesses(struct run *run)
{
    for (size_t i = 0; i < ACCESSES; i++)
        counters_add(&run->result.total, &run->counters[i]);
}

/* Half of the sectors are excessive, most of them of the stores, and no cache absorbs them. */
static void waste(struct run *run)
{
    struct counters *loads = &run->counters[LOADS], *stores = &run->counters[STORES];
    loads->global_load_sectors = loads->l2_read_sectors = loads->dram_read_sectors = 400;
    loads->global_load_ideal_sectors = 400;
    stores->global_store_sectors = stores->l2_write_sectors = stores->dram_write_sectors = 1000;
    stores->global_store_ideal_sectors = 125;
}

/* Two of three sectors that loads ask for are in L1. */
static void waste_in_l1(struct run *run)
{
    struct counters *loads = &run->counters[LOADS], *stores = &run->counters[STORES];
    loads->global_load_sectors = 1200;
    loads->global_load_ideal_sectors = loads->l2_read_sectors = loads->dram_read_sectors = 400;
    loads->crossbar_read_bytes = 32 * 400;
    stores->global_store_sectors = stores->l2_write_sectors = stores->dram_write_sectors = 100;
    stores->global_store_ideal_sectors = 100;
    stores->crossbar_write_bytes = 32 * 100;
}

static void conflict(struct run *run)
{
    run->counters[SHARED].shared_load_requests = 10;
    run->counters[SHARED].shared_load_passes = 320;
    run->counters[SHARED].shared_load_ideal_passes = 10;
}

static void check_limits(struct run *run, struct verdict_limits limits, const char *expected)
{
    struct verdict verdict;
    sum_accesses(run);
    const struct verdict_facts facts = verdict_facts_of(&run->result, &limits);
    verdict_from_facts(&verdict, &facts);
    assert_string_equal(verdict.sentence, expected);
}

/* The sentence when `limiter` held the run up for `limited` of its time. */
static void check_sentence(struct run *run, enum resource limiter, double limited,
                           const char *expected)
{
    check_limits(run, (struct verdict_limits){.first = limiter, .first_share = limited}, expected);
}

static void a_hot_partition_is_named_with_its_line(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.counters[STORES].camped_bytes = 10;
    run.counters[LOADS].camped_bytes = 1;
    run.result.total.hottest_partition_bytes = 37;
    run.result.total.mean_partition_bytes = 10;
    check_sentence(&run, USE_PARTITION, 0.76,
                   "Held up by one hot DRAM partition 76 % of the time: stores to out (a.c:8) go "
                   "to one partition at a time (camping index 3.7).");
}

static void waste_is_named_where_it_goes_through_the_limiter(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(
        &run, USE_DRAM, 0.95,
        "Held up by DRAM bandwidth 95 % of the time, and 62 % of its sectors are excessive: stores "
        "to out (a.c:8) move 1,000 sectors to and from DRAM where 125 would do.");
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(&run, USE_SHARED, 0.7,
                   "Held up by shared memory 70 % of the time: bank conflicts, shared loads of "
                   "a.c:9 take 32 passes an access where 1 would do.");
    run_start(&run);
    waste(&run);
    check_sentence(&run, USE_L2, 0.7,
                   "Held up by L2 70 % of the time: stores to out (a.c:8) move 1,000 sectors to "
                   "and from L2 where 125 would do.");
    run_start(&run);
    waste_in_l1(&run);
    conflict(&run);
    check_sentence(&run, USE_L1, 0.7,
                   "Held up by L1 70 % of the time: loads of in (a.c:7) move 1,200 sectors where "
                   "400 would do.");
}

static void what_a_cache_absorbs_is_not_blamed(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste_in_l1(&run);
    check_sentence(&run, USE_L2, 0.71,
                   "Held up by L2 71 % of the time: loads of in (a.c:7) move most to and from L2, "
                   "400 of 500 sectors.");
    run_start(&run);
    waste_in_l1(&run);
    check_sentence(&run, USE_CROSSBAR, 0.71,
                   "Held up by the crossbar 71 % of the time: loads of in (a.c:7) move most beyond "
                   "the SM, 400 of 500 sectors.");
    run_start(&run);
    waste(&run);
    run.counters[STORES].dram_write_sectors = 100; /* the rest stays in L2 */
    run.result.total.elapsed_ns = 1000;
    check_sentence(&run, USE_DRAM, 0.9,
                   "Held up by DRAM bandwidth 90 % of the time: DRAM runs at 11 % of its peak, and "
                   "loads of in (a.c:7) move most to and from DRAM, 400 of 500 sectors.");
    run_start(&run);
    waste_in_l1(&run);
    run.counters[STORES].stall_cycles = 95;
    run.counters[LOADS].stall_cycles = 5;
    check_sentence(&run, USE_LATENCY, 0.9,
                   "Held up by latency 90 % of the time: warps wait for answers, 95 % of it for "
                   "stores to out (a.c:8); more loads under way at a time would help.");
}

static void constants_are_not_excessive(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.accesses[LOADS].space = SPACE_CONSTANT;
    run.counters[LOADS].l2_read_sectors = 10;
    check_sentence(&run, USE_L2, 0.9,
                   "Held up by L2 90 % of the time: constant loads of in (a.c:7) move most to and "
                   "from L2, 10 of 10 sectors.");
}

static void a_short_kernel_is_held_up_by_its_launch(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    run.result.arch.launch_ns = 1600;
    check_sentence(&run, USE_LAUNCH, 0.61,
                   "Held up by the launch itself 61 % of the time: a launch takes 1.6 us besides "
                   "what its threads do; fewer launches that do more each would help.");
}

static void passes_are_those_of_an_access(void **state)
{
    struct run run;
    (void)state;
    run_start(&run); /* two half-warps, each in two passes */
    run.counters[SHARED].shared_load_requests = 100;
    run.counters[SHARED].shared_load_passes = 400;
    run.counters[SHARED].shared_load_ideal_passes = 200;
    run.counters[SHARED].stall_cycles = 9;
    check_sentence(&run, USE_LATENCY, 0.61,
                   "Held up by latency 61 % of the time: warps wait for answers, 100 % of it for "
                   "shared loads of a.c:9, and these take 4 passes an access where 2 would do.");
    run_start(&run); /* shared memory is no work of the load/store units */
    conflict(&run);
    check_sentence(&run, USE_LSU, 0.9,
                   "Held up by the load/store units 90 % of the time: fewer or wider memory "
                   "instructions would help.");
    run_start(&run); /* nor of the constant caches */
    conflict(&run);
    check_sentence(&run, USE_CONSTANT, 0.9,
                   "Held up by the constant caches 90 % of the time: fewer constant loads, or one "
                   "address a warp, would help.");
    run.accesses[LOADS].space = SPACE_CONSTANT;
    run.accesses[LOADS].array = "";
    run.counters[LOADS].constant_load_requests = 10;
    run.counters[LOADS].constant_load_passes = 80;
    run.counters[LOADS].constant_load_ideal_passes = 10;
    check_sentence(
        &run, USE_CONSTANT, 0.9,
        "Held up by the constant caches 90 % of the time: constant loads of a.c:7 take 8 "
        "passes an access where 1 would do.");
}

static void what_is_well_is_said_to_be_well(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.result.total.elapsed_ns = 1000;
    run.counters[LOADS].dram_read_sectors = 3542; /* 113 GB/s of 141.7 */
    run.counters[LOADS].global_load_ideal_sectors = 3542;
    check_sentence(&run, USE_DRAM, 0.99,
                   "Held up by DRAM bandwidth 99 % of the time: DRAM runs at 80 % of its peak, and "
                   "loads of in (a.c:7) move most to and from DRAM, 3,542 of 3,542 sectors.");
    run_start(&run);
    check_sentence(
        &run, USE_ISSUE, 0.9,
        "Held up by instruction issue 90 % of the time: memory keeps up with this kernel.");
}

static void what_holds_up_for_less_time_is_told_with_the_next(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    check_limits(&run, (struct verdict_limits){USE_ISSUE, USE_L2, 0.3, 0.29},
                 "Held up most of all by instruction issue (30 % of the time), then by L2 (29 %).");
    run_start(&run);
    check_sentence(&run, USE_ISSUE, 0.79,
                   "Held up by instruction issue 79 % of the time: most of its time goes into "
                   "instructions, not into memory.");
    run_start(&run);
    waste_in_l1(&run);
    run.result.total.elapsed_ns = 185; /* 86.5 GB/s of 141.7 */
    check_limits(&run, (struct verdict_limits){USE_DRAM, USE_LATENCY, 0.39, 0.3},
                 "Held up most of all by DRAM bandwidth (39 % of the time), then by latency (30 "
                 "%): DRAM runs at 61 % of its peak, and loads of in (a.c:7) move most to and from "
                 "DRAM, 400 of 500 sectors.");
    run_start(&run);
    check_limits(&run, (struct verdict_limits){USE_LATENCY, USE_DRAM, 0.45, 0.3},
                 "Held up most of all by latency (45 % of the time), then by DRAM bandwidth (30 "
                 "%): warps wait for answers; more loads under way at a time would help.");
}

static void latency_has_its_reasons(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.result.total.blocks = 4;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: 4 blocks are too few for 30 SMs.");
    run_start(&run);
    run.result.total.blocks = 1;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: 1 block is too few for 30 SMs.");
    run_start(&run);
    run.result.total.resident_warp_cycles = 25;
    run.result.total.warp_room_cycles = 100;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: warps wait for answers, and with 25 % of "
                   "the SMs' room for warps in use there are too few others to run meanwhile.");
}

/* A GPU of 30 SMs with few of them idle is no GPU with too few blocks. */
static void too_few_blocks_leave_a_fifth_of_the_sms_idle(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.result.total.blocks = 24;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: warps wait for answers; more loads under "
                   "way at a time would help.");
    run_start(&run);
    run.result.total.launches = 10;
    run.result.total.blocks = 230;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: 23 blocks a launch are too few for 30 "
                   "SMs.");
}

static void atomics_that_are_waited_for_are_not_helped_by_loads(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    run.accesses[STORES].op = OP_ATOMIC;
    run.counters[STORES].stall_cycles = 50;
    run.counters[LOADS].stall_cycles = 40;
    run.counters[SHARED].stall_cycles = 10;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: warps wait for answers, 50 % of it for "
                   "atomics on out (a.c:8); fewer atomics, one for a warp or block, would help.");
    run_start(&run);
    run.accesses[STORES].op = OP_ATOMIC;
    run.counters[STORES].stall_cycles = 45;
    run.counters[LOADS].stall_cycles = 40;
    run.counters[SHARED].stall_cycles = 15;
    check_sentence(&run, USE_LATENCY, 1,
                   "Held up by latency 100 % of the time: warps wait for answers, 45 % of it for "
                   "atomics on out (a.c:8); more loads under way at a time would help.");
}

/* Latency is not put down to conflicts that nobody waits for, unless shared memory is what comes next. */
static void conflicts_are_blamed_where_they_delay(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    conflict(&run);
    run.counters[LOADS].stall_cycles = 99;
    run.counters[SHARED].stall_cycles = 1;
    check_limits(&run, (struct verdict_limits){USE_LATENCY, USE_ISSUE, 0.7, 0.3},
                 "Held up by latency 70 % of the time: warps wait for answers, 99 % of it for "
                 "loads of in (a.c:7); more loads under way at a time would help.");
    run_start(&run);
    conflict(&run);
    run.counters[LOADS].stall_cycles = 99;
    run.counters[SHARED].stall_cycles = 1;
    check_limits(&run, (struct verdict_limits){USE_LATENCY, USE_SHARED, 0.7, 0.3},
                 "Held up by latency 70 % of the time: warps wait for answers, 99 % of it for "
                 "loads of in (a.c:7), and shared loads of a.c:9 take 32 passes an access where 1 "
                 "would do.");
}

static void starts_of_blocks_are_told_as_what_they_are(void **state)
{
    struct run run;
    (void)state;
    for (int i = 0; i < 2; i++) {
        run_start(&run);
        run.result.arch.block_launch_millicycles = 3000;
        run.result.arch.warp_launch_millicycles = 500;
        run.result.total.warps = 2000;
        run.result.total.elapsed_cycles = 4700; /* of which starts are 4,000 */
        check_sentence(&run, i ? USE_LATENCY : USE_ISSUE, 1,
                       i ? "Held up by latency 100 % of the time: starting the 1,000 blocks, one "
                           "after another, takes 85 % of the time; fewer blocks that do more each "
                           "would help."
                         : "Held up by instruction issue 100 % of the time: starting the 1,000 "
                           "blocks, one after another, takes 85 % of the time; fewer blocks that "
                           "do more each would help.");
    }
    run_start(&run);
    run.result.arch.block_launch_millicycles = 3000;
    run.result.total.elapsed_cycles = 4000;
    check_sentence(&run, USE_ISSUE, 1,
                   "Held up by instruction issue 100 % of the time: memory keeps up with this "
                   "kernel.");
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
    check_sentence(&run, USE_ISSUE, 0,
                   "By the rules alone, layout costs most: stores to out (a.c:8) move 1,000 "
                   "sectors where 125 would do.");
    run_start(&run);
    waste(&run);
    conflict(&run);
    check_sentence(&run, USE_ISSUE, 0,
                   "By the rules alone, bank conflicts cost most: shared loads of a.c:9 take 32 "
                   "passes an access where 1 would do.");
    run_start(&run);
    check_sentence(&run, USE_ISSUE, 0,
                   "By the rules alone there is little to save: 0 % of the sectors are excessive.");
}

/* The verdict's fields when `limiter` held the run up for all of its time. */
static struct verdict verdict_under(struct run *run, enum resource limiter)
{
    struct verdict verdict;
    const struct verdict_limits limits = {.first = limiter, .first_share = 1};
    sum_accesses(run);
    const struct verdict_facts facts = verdict_facts_of(&run->result, &limits);
    verdict_from_facts(&verdict, &facts);
    return verdict;
}

static void the_figure_is_that_of_the_accesses_to_blame(void **state)
{
    struct run run;
    (void)state;
    run_start(&run);
    waste(&run);
    run.counters[STORES].global_store_bytes_requested = 4000;
    run.counters[STORES].global_store_bytes_moved = 32000;
    struct verdict v = verdict_under(&run, USE_DRAM);
    assert_ptr_equal(v.accesses, &run.accesses[STORES]);
    assert_string_equal(v.figure, "gst_efficiency");
    assert_true(v.value == 12.5 && v.is_timed && v.limiter == USE_DRAM && v.share == 1);
    run_start(&run);
    conflict(&run);
    v = verdict_under(&run, USE_SHARED);
    assert_ptr_equal(v.accesses, &run.accesses[SHARED]);
    assert_string_equal(v.figure, "shared_conflict_ways");
    assert_true(v.value == 32);
    run_start(&run);
    run.counters[LOADS].stall_cycles = 77;
    v = verdict_under(&run, USE_LATENCY);
    assert_ptr_equal(v.accesses, &run.accesses[LOADS]);
    assert_string_equal(v.figure, "stall_cycles");
    assert_true(v.value == 77);
    run_start(&run);
    v = verdict_under(&run, USE_ISSUE);
    assert_null(v.accesses);
    assert_string_equal(v.figure, "limited_by_issue");
    run_start(&run);
    run.result.total.blocks = 4;
    v = verdict_under(&run, USE_LATENCY);
    assert_string_equal(v.figure, "blocks");
    assert_true(v.value == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figure_is_that_of_the_accesses_to_blame),
        cmocka_unit_test(a_hot_partition_is_named_with_its_line),
        cmocka_unit_test(waste_is_named_where_it_goes_through_the_limiter),
        cmocka_unit_test(what_a_cache_absorbs_is_not_blamed),
        cmocka_unit_test(constants_are_not_excessive),
        cmocka_unit_test(a_short_kernel_is_held_up_by_its_launch),
        cmocka_unit_test(passes_are_those_of_an_access),
        cmocka_unit_test(what_is_well_is_said_to_be_well),
        cmocka_unit_test(what_holds_up_for_less_time_is_told_with_the_next),
        cmocka_unit_test(latency_has_its_reasons),
        cmocka_unit_test(too_few_blocks_leave_a_fifth_of_the_sms_idle),
        cmocka_unit_test(atomics_that_are_waited_for_are_not_helped_by_loads),
        cmocka_unit_test(conflicts_are_blamed_where_they_delay),
        cmocka_unit_test(starts_of_blocks_are_told_as_what_they_are),
        cmocka_unit_test(page_faults_come_first),
        cmocka_unit_test(without_time_the_rules_speak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
