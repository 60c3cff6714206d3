/* test_timeline.c - does the recorder tell the model's own times: on an idle GPU the latencies of the model's
 * table, to the tick?
 */
#include "sim_feed.h"

#include "test_support.h"

#include "models/models.h"

enum { MEGABYTE = 1 << 20 };

/* ---- One block of a synthetic kernel --------------------------------------------------------- */

static void watch(struct feed *feed, const struct arch *arch, const struct feed_kernel *kernel,
                  uint32_t block)
{
    feed_open(feed, arch, NULL);
    feed_watch(feed, kernel, block);
}

static void expect_ticks(const char *gpu, const char *what, uint64_t ticks, uint64_t expected)
{
    if (ticks != expected)
        fail_msg("%s, %s: %.3f cycles, the table says %.3f", gpu, what,
                 (double)ticks / TICKS_PER_CYCLE, (double)expected / TICKS_PER_CYCLE);
}

static struct feed_part chase(uint8_t space)
{
    return (struct feed_part){.shape = FEED_CHASE,
                              .space = space,
                              .waits = true,
                              .active = 1,
                              .base = 16 * MEGABYTE,
                              .stride = 0};
}

static struct feed_kernel one_warp(const struct feed_part *part, uint32_t rounds)
{
    return (struct feed_kernel){
        .parts = part, .part_count = 1, .rounds = rounds, .blocks = 1, .warps = 1};
}

static uint64_t first(const struct timeline_step *step, enum timeline_stage stage)
{
    if (!timeline_has(step, stage))
        fail_msg("a step lacks stage %d", (int)stage);
    return step->span[stage].first;
}

/* A line on the SM's own side of the L2. */
static uint64_t near_line(const struct arch *arch)
{
    struct address_map map = address_map_for(arch);
    uint64_t addr = 16 * MEGABYTE;
    while (arch->l2_sides == 2 && 2 * address_map_find(&map, addr).slice >= map.slices)
        addr += 128;
    return addr;
}

static void check_miss(const char *name, const struct arch *arch)
{
    struct feed_part part = chase(SPACE_GLOBAL);
    part.base = near_line(arch);
    struct feed_kernel kernel = one_warp(&part, 1);
    struct feed feed;
    watch(&feed, arch, &kernel, 0);
    const struct timeline_step *load = feed.sim.timeline->kept->steps;
    const bool has_l2 = arch->l2_bytes > 0;
    const uint64_t begin = first(load, TIMELINE_UNIT);
    const int64_t there = has_l2 ? arch->l2_latency_cycles : arch->dram_latency_cycles;
    assert_int_equal(feed.sim.timeline->kept->count, 2);
    expect_ticks(name, "crossbar", first(load, TIMELINE_CROSSBAR), begin);
    expect_ticks(name, "arrival", first(load, TIMELINE_ARRIVAL) - begin,
                 ticks_of_cycles(there) / 2);
    assert_int_equal(timeline_has(load, TIMELINE_L2), has_l2);
    if (has_l2)
        expect_ticks(name, "slice", first(load, TIMELINE_L2), first(load, TIMELINE_ARRIVAL));
    expect_ticks(name, "DRAM", first(load, TIMELINE_DRAM), first(load, TIMELINE_ARRIVAL));
    expect_ticks(name, "data", first(load, TIMELINE_DATA) - begin,
                 ticks_of_cycles(arch->dram_latency_cycles));
    assert_int_equal(timeline_has(load, TIMELINE_L1), arch->l1_bytes > 0 && arch->l1_caches_global);
    const struct timeline_step *end = load + 1;
    assert_int_equal(end->kind, STEP_END);
    assert_true(end->span[TIMELINE_LOADS].last == load->span[TIMELINE_DATA].last);
    assert_true(first(end, TIMELINE_ENDED) == feed.sim.timeline->kept->ended);
    feed_close(&feed);
}

static void a_load_that_misses_has_the_latencies_of_the_table(void **state)
{
    (void)state;
    feed_each_model(check_miss);
}

static void check_hits(const char *name, const struct arch *arch)
{
    struct feed_part part = chase(SPACE_GLOBAL);
    part.base = near_line(arch);
    struct feed_kernel kernel = one_warp(&part, 2);
    struct feed feed;
    feed_open(&feed, arch, NULL);
    feed_run(&feed, &kernel);
    feed_watch(&feed, &kernel, 0); /* caches of the SM are empty again, L2 is not */
    const struct timeline_step *load = feed.sim.timeline->kept->steps;
    if (arch->l2_bytes) {
        assert_false(timeline_has(load, TIMELINE_DRAM));
        expect_ticks(name, "L2 hit", first(load, TIMELINE_DATA) - first(load, TIMELINE_UNIT),
                     ticks_of_cycles(arch->l2_latency_cycles));
    }
    if (arch->l1_bytes && arch->l1_caches_global) {
        assert_false(timeline_has(&load[1], TIMELINE_CROSSBAR));
        expect_ticks(name, "L1 hit", first(&load[1], TIMELINE_DATA) - first(&load[1], TIMELINE_L1),
                     ticks_of_cycles(arch->l1_latency_cycles));
    }
    feed_close(&feed);
}

static void a_load_that_hits_ends_where_it_hits(void **state)
{
    (void)state;
    feed_each_model(check_hits);
}

/* 16 lanes and more in one bank. */
static void check_conflicts(const char *name, const struct arch *arch)
{
    const struct feed_part part = {.shape = FEED_STRIDED,
                                   .space = SPACE_SHARED,
                                   .stride = 64 * (arch->shared_bank_bytes / 4),
                                   .bytes = 8192};
    struct feed_kernel kernel = one_warp(&part, 1);
    struct feed feed;
    watch(&feed, arch, &kernel, 0);
    const struct timeline_step *load = feed.sim.timeline->kept->steps;
    const struct timeline_span *unit = &load->span[TIMELINE_UNIT];
    assert_in_range(load->passes, 2, 32);
    assert_int_equal(load->passes, feed_total(&feed).counters.shared_load_passes);
    expect_ticks(name, "passes", unit->last - unit->first,
                 load->passes * ticks_of_millicycles(arch->shared_pass_millicycles));
    expect_ticks(name, "shared memory", first(load, TIMELINE_DATA) - unit->first,
                 ticks_of_cycles(arch->shared_latency_cycles) +
                     (load->passes - 1U) * ticks_of_millicycles(arch->shared_conflict_millicycles));
    feed_close(&feed);
}

static void passes_of_a_bank_conflict_follow_each_other(void **state)
{
    (void)state;
    feed_each_model(check_conflicts);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

static void what_has_no_room_is_counted(void **state)
{
    (void)state;
    const struct feed_part part = {.base = MEGABYTE, .work = 1};
    struct feed_kernel kernel = {
        .parts = &part, .part_count = 1, .rounds = 1000, .blocks = 2, .warps = 8};
    struct arch arch;
    struct feed feed;
    arch_from_model(models_find("m2090"), &arch);
    watch(&feed, &arch, &kernel, 1);
    const struct timeline *timeline = feed.sim.timeline->kept;
    assert_int_equal(timeline->count, TIMELINE_STEPS_MAX);
    assert_int_equal(timeline->left_out, 8 * 1001 - TIMELINE_STEPS_MAX);
    assert_true(timeline->left_out_from >= timeline->steps[TIMELINE_STEPS_MAX - 1].turn);
    assert_true(timeline->left_out_from < timeline->ended);
    feed_close(&feed);
}

static void a_block_that_there_is_not_has_no_timeline(void **state)
{
    (void)state;
    const struct feed_part part = {.base = MEGABYTE, .work = 1};
    struct feed_kernel kernel = {
        .parts = &part, .part_count = 1, .rounds = 1, .blocks = 2, .warps = 2};
    struct arch arch;
    struct feed feed;
    arch_from_model(models_find("h200"), &arch);
    watch(&feed, &arch, &kernel, 7);
    kernel.blocks = 20;
    feed_run(&feed, &kernel); /* it would be in this launch */
    assert_int_equal(feed.sim.timeline->kept->warp_count, 0);
    assert_int_equal(feed.sim.timeline->kept->count, 0);
    feed_close(&feed);
}

/* A store that the SM holds back is on its way later, on some other access's time. */
static void stores_that_are_held_back_are_not_told_as_anothers(void **state)
{
    (void)state;
    const struct feed_part parts[] = {{.op = OP_STORE, .base = MEGABYTE, .bytes = 128},
                                      {.op = OP_ATOMIC, .base = 8 * MEGABYTE}};
    struct feed_kernel kernel = {
        .parts = parts, .part_count = 2, .rounds = 1, .blocks = 1, .warps = 1};
    struct arch arch;
    struct feed feed;
    arch_from_model(models_find("h200"), &arch);
    assert_true(arch.store_merge_cycles > 0);
    watch(&feed, &arch, &kernel, 0);
    const struct timeline_step *store = feed.sim.timeline->kept->steps, *atomic = store + 1;
    assert_true(feed_total(&feed).counters.l2_write_sectors > 0);
    assert_false(timeline_has(store, TIMELINE_CROSSBAR));
    assert_true(atomic->span[TIMELINE_CROSSBAR].first > first(atomic, TIMELINE_UNIT));
    feed_close(&feed);
    arch_from_model(models_find("m2090"), &arch);
    watch(&feed, &arch, &kernel, 0);
    assert_true(timeline_has(feed.sim.timeline->kept->steps, TIMELINE_L2));
    feed_close(&feed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_misses_has_the_latencies_of_the_table),
        cmocka_unit_test(a_load_that_hits_ends_where_it_hits),
        cmocka_unit_test(passes_of_a_bank_conflict_follow_each_other),
        cmocka_unit_test(what_has_no_room_is_counted),
        cmocka_unit_test(a_block_that_there_is_not_has_no_timeline),
        cmocka_unit_test(stores_that_are_held_back_are_not_told_as_anothers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
