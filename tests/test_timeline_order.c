/* test_timeline_order.c - do the stages of what the recorder keeps follow each other, and is what a block waits
 * what the counters say that its accesses waited?
 */
#include "sim_feed.h"

#include "test_support.h"

enum { MEGABYTE = 1 << 20 };

static const struct feed_part everything[] = {
    {.shape = FEED_STREAM, .base = MEGABYTE, .width = 8, .work = 5},
    {.shape = FEED_RANDOM, .base = 2 * MEGABYTE, .bytes = 65536, .waits = true, .work = 3},
    {.shape = FEED_RANDOM, .op = OP_STORE, .base = 2 * MEGABYTE, .bytes = 65536, .work = 1},
    {.shape = FEED_RANDOM, .op = OP_ATOMIC, .base = 2 * MEGABYTE, .bytes = 16384, .work = 1},
    {.shape = FEED_STRIDED, .base = 3 * MEGABYTE, .stride = 132, .work = 70, .waits = true},
    {.shape = FEED_STRIDED, .space = SPACE_TEXTURE, .base = 4 * MEGABYTE, .stride = 12},
    {.shape = FEED_RANDOM, .space = SPACE_CONSTANT, .bytes = 16384, .work = 1},
    {.shape = FEED_STRIDED, .space = SPACE_SHARED, .op = OP_STORE, .stride = 8, .bytes = 8192},
    {.shape = FEED_BARRIER, .work = 2},
    {.shape = FEED_RANDOM, .space = SPACE_SHARED, .bytes = 8192, .width = 8},
    {.shape = FEED_STREAM, .base = 5 * MEGABYTE, .bytes = 65536, .flags = ACCESS_HOST, .work = 2},
};
enum { EVERYTHING = sizeof everything / sizeof everything[0] };

/* In the order in which a request comes to them. */
static const enum timeline_stage trip[] = {TIMELINE_SEND,     TIMELINE_UNIT,    TIMELINE_L1,
                                           TIMELINE_CROSSBAR, TIMELINE_ARRIVAL, TIMELINE_L2,
                                           TIMELINE_DRAM,     TIMELINE_DATA};

/* The first request at a stage is not there before the first one of the stage before. Nor is the last one,
 * where all of them come by. */
static void expect_order(const char *gpu, const struct timeline_step *step)
{
    uint64_t before = step->turn, last = 0;
    for (size_t i = 0; i < sizeof trip / sizeof trip[0]; i++) {
        const struct timeline_span *span = &step->span[trip[i]];
        if (!timeline_has(step, trip[i]))
            continue;
        const bool hits = trip[i] == TIMELINE_DATA && timeline_has(step, TIMELINE_L1);
        if (span->first > span->last || (span->first < before && !hits))
            fail_msg("%s: stage %d begins before the one before", gpu, (int)trip[i]);
        before = trip[i] == TIMELINE_DRAM ? before : span->first; /* not all go there */
        if (trip[i] < TIMELINE_CROSSBAR || (trip[i] == TIMELINE_DRAM && step->op == OP_STORE))
            continue; /* the unit is taken on; what a store drives out is no part of it */
        if (span->last < last && trip[i] != TIMELINE_DRAM)
            fail_msg("%s: stage %d ends before the one before", gpu, (int)trip[i]);
        last = span->last > last ? span->last : last;
    }
}

/* A warp turns to a step when it goes on from the one before, at the next whole cycle. */
static void expect_steps_in_turn(const struct timeline *timeline)
{
    uint64_t goes_on[STEP_WARPS_MAX] = {0};
    for (size_t i = 0; i < timeline->count; i++) {
        const struct timeline_step *step = &timeline->steps[i];
        const enum timeline_stage through =
            step->kind == STEP_BARRIER ? TIMELINE_BARRIER : TIMELINE_SEND;
        assert_true(i == 0 || step->turn >= step[-1].turn);
        if (goes_on[step->warp])
            assert_true(step->turn == (goes_on[step->warp] + TICKS_PER_CYCLE - 1) /
                                          TICKS_PER_CYCLE * TICKS_PER_CYCLE);
        goes_on[step->warp] = step->kind == STEP_END ? 0 : step->span[through].last;
    }
}

static uint64_t waited(const struct timeline_step *step, enum timeline_stage stage)
{
    return timeline_has(step, stage)
               ? (step->span[stage].last - step->span[stage].first) >> TICKS_LOG2
               : 0;
}

/* Cycles that warps wait for loads and behind others for the load/store unit. */
static uint64_t waits_of(const struct timeline *timeline)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < timeline->count; i++)
        sum += waited(&timeline->steps[i], TIMELINE_LOADS) +
               waited(&timeline->steps[i], TIMELINE_QUEUE);
    return sum;
}

/* Cycles that warps wait at barriers for others: all but what a barrier itself takes. */
static uint64_t barrier_waits_of(const struct timeline *timeline, int64_t barrier_cycles)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->steps[i].kind == STEP_BARRIER)
            sum += waited(&timeline->steps[i], TIMELINE_BARRIER) - (uint64_t)barrier_cycles;
    return sum;
}

static struct feed_kernel random_kernel(uint64_t seed)
{
    return (struct feed_kernel){.parts = everything,
                                .part_count = EVERYTHING,
                                .rounds = 3 + (uint32_t)(seed % 3),
                                .warps = 1 + (uint32_t)(seed * 5 % 8),
                                .seed = seed};
}

static void check_order(const char *name, const struct arch *arch)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct feed_kernel kernel = random_kernel(seed);
        struct feed feed;
        kernel.blocks = 40;
        feed_open(&feed, arch, NULL);
        feed_watch(&feed, &kernel, (uint32_t)(seed * 9));
        const struct timeline *timeline = feed.sim.timeline->kept;
        assert_int_equal(timeline->count, kernel.warps * (kernel.rounds * EVERYTHING + 1));
        for (size_t i = 0; i < timeline->count; i++)
            expect_order(name, &timeline->steps[i]);
        expect_steps_in_turn(timeline);
        feed_close(&feed);
    }
}

static void stages_follow_each_other(void **state)
{
    (void)state;
    feed_each_model(check_order);
}

static void check_waits(const char *name, const struct arch *arch)
{
    (void)name;
    uint64_t at_barriers = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct feed_kernel kernel = random_kernel(seed);
        struct feed feed;
        kernel.blocks = 1;
        feed_open(&feed, arch, NULL);
        feed_watch(&feed, &kernel, 0);
        const struct counters c = feed_total(&feed).counters;
        const struct timeline *timeline = feed.sim.timeline->kept;
        assert_true(c.stall_cycles > 0);
        assert_int_equal(waits_of(timeline), c.stall_cycles);
        assert_int_equal(barrier_waits_of(timeline, arch->barrier_cycles), c.barrier_stall_cycles);
        at_barriers += c.barrier_stall_cycles;
        feed_close(&feed);
    }
    assert_true(at_barriers > 0);
}

static void the_waits_of_the_only_block_are_the_counters(void **state)
{
    (void)state;
    feed_each_model(check_waits);
}

/* All warps of the block go on at the same time, after the last has come. */
static void check_barrier(const char *name, const struct arch *arch)
{
    struct feed_kernel kernel = random_kernel(3);
    struct feed feed;
    uint64_t last_comes = 0, opens = 0;
    uint32_t warps = 0;
    kernel.blocks = kernel.rounds = 1;
    feed_open(&feed, arch, NULL);
    feed_watch(&feed, &kernel, 0);
    for (size_t i = 0; i < feed.sim.timeline->kept->count; i++) {
        const struct timeline_step *step = &feed.sim.timeline->kept->steps[i];
        if (step->kind != STEP_BARRIER)
            continue;
        last_comes = ticks_later(last_comes, step->span[TIMELINE_BARRIER].first);
        assert_true(warps++ == 0 || step->span[TIMELINE_BARRIER].last == opens);
        opens = step->span[TIMELINE_BARRIER].last;
    }
    assert_int_equal(warps, kernel.warps);
    if (opens - last_comes != ticks_of_cycles(arch->barrier_cycles))
        fail_msg("%s: the barrier opens %.3f cycles after the last warp has come", name,
                 (double)(opens - last_comes) / TICKS_PER_CYCLE);
    feed_close(&feed);
}

static void a_barrier_is_a_wall(void **state)
{
    (void)state;
    feed_each_model(check_barrier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_follow_each_other),
        cmocka_unit_test(the_waits_of_the_only_block_are_the_counters),
        cmocka_unit_test(a_barrier_is_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
