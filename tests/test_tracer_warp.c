/* test_tracer_warp.c - do lanes keep in step where the kernel needs it? Volatile accesses,
 * barriers, shuffles and votes: right results, and the accesses that hardware makes.
 */
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"

#define FULL UINT32_MAX

/* ---- Volatile ---------------------------------------------------------------------------------
 */

/* v[t] += v[t + s] is two loads and a store; five more steps follow the first. */
static void the_last_warp_of_a_reduction_runs_in_lockstep(void **state)
{
    int result[64];
    (void)state;
    RUN(lastWarp, .block = {64, 1, 1}, .result = result);
    assert_int_equal(result[0], 8 * 255);
    assert_int_equal(recorder_count_of("data"), 2 + 6 * 3 + 1);
    assert_int_equal(recorder_count_at(HERE_LOAD), 3);
    for (unsigned i = 0; i < 18; i++) {
        const struct recorded *access = recorder_of("data", 2 + i);
        assert_int_equal(access->active, FULL);
        assert_int_equal(access->op, i % 3 == 2 ? OP_STORE : OP_LOAD);
    }
    assert_int_equal(recorder_of("data", 20)->active, 1);
}

static void a_volatile_load_sees_what_other_lanes_stored(void **state)
{
    int result[32];
    (void)state;
    RUN(volatileNeighbour, .result = result);
    assert_int_equal(recorder_count_at(HERE_STORE), 4);
    assert_int_equal(recorder_count_at(HERE_LOAD), 4);
    for (int t = 0; t < 32; t++)
        assert_int_equal(result[t], 600 + 4 * ((t + 1) % 32));
}

/* Iteration i is that of the lanes above i, on one side of the branch for all of them. */
static void lockstep_lanes_may_part(void **state)
{
    int result[32];
    (void)state;
    RUN(volatileLoop, .result = result);
    for (int t = 0; t < 32; t++)
        assert_int_equal(result[t], 1000 + t / 2 + 10 * ((t + 1) / 2));
    for (unsigned i = 0; i < 31; i++) {
        enum here here = i % 2 ? HERE_LOAD : HERE_OTHER;
        assert_int_equal(recorder_at(here, i / 2 * 2)->active, FULL << i << 1);
        assert_int_equal(recorder_at(here, i / 2 * 2 + 1)->active, FULL << i << 1);
    }
    assert_int_equal(recorder_count_at(HERE_LOAD), 30);
    assert_int_equal(recorder_count_at(HERE_OTHER), 32);
    assert_int_equal(recorder_count_at(HERE_STORE), 2);
    assert_int_equal(recorder_at(HERE_STORE, 1)->active, FULL);
    assert_int_equal(recorder.total, 1 + 30 + 32 + 2);
}

/* ---- Barriers ---------------------------------------------------------------------------------
 */

static void a_barrier_in_a_loop_orders_all_warps_of_the_block(void **state)
{
    int result[192];
    (void)state;
    RUN(barrierLoop, .grid = {2, 1, 1}, .block = {96, 1, 1}, .result = result);
    for (int i = 0; i < 192; i++)
        assert_int_equal(result[i], (i % 96 + 3) % 96);
    assert_int_equal(recorder.total, 2 * 3 * (3 * 2 + 1));
    for (unsigned i = 0; i < recorder.total; i++) {
        unsigned phase = i % 21 / 3; /* three warps store, three load, ... */
        enum here here = phase == 6 ? HERE_OTHER : phase % 2 ? HERE_LOAD : HERE_STORE;
        unsigned before = i / 21 * (phase == 6 ? 3 : 9) + (phase == 6 ? 0 : phase / 2 * 3);
        assert_ptr_equal(recorder_at(here, before + i % 3), &recorder.kept[i]);
        assert_int_equal(recorder.kept[i].block, i / 21);
    }
}

static void a_barrier_may_be_conditional_when_the_block_agrees(void **state)
{
    int result[192];
    (void)state;
    RUN(barrierUniform, .grid = {2, 1, 1}, .block = {96, 1, 1}, .result = result);
    for (int i = 0; i < 192; i++)
        assert_int_equal(result[i], 95 - i % 96);
}

static void warps_may_come_to_a_barrier_in_a_function_from_different_calls(void **state)
{
    int result[96];
    (void)state;
    RUN(barrierInFunction, .block = {96, 1, 1}, .result = result);
    for (int t = 0; t < 96; t++)
        assert_int_equal(result[t], (95 - t < 32 ? 0 : 1000) + 95 - t);
}

/* ---- Shuffles ---------------------------------------------------------------------------------
 */

/* The lane that lane t reads, after the PTX manual (shfl.sync): in segments of `width` lanes;
 * itself when the source is outside. */
static int shuffle_source(enum wl_shuffle mode, int t, int by, int width)
{
    int first = t / width * width, last = first + width - 1;
    switch (mode) {
    case WL_SHFL_IDX:
        return first + by % width;
    case WL_SHFL_UP:
        return t - by >= first ? t - by : t;
    case WL_SHFL_DOWN:
        return t + by <= last ? t + by : t;
    case WL_SHFL_XOR:
        return (t ^ by) <= last ? t ^ by : t;
    }
    return t;
}

#define CHECK_SHUFFLES(name, type)                                                                 \
    static void check_##name(enum wl_shuffle mode, int by, int width)                              \
    {                                                                                              \
        type result[32];                                                                           \
        RUN(name, .choice = (int)mode, .n = by + 1000 * width, .result = result);                  \
        assert_int_equal(recorder.total, 2);                                                       \
        for (int t = 0; t < 32; t++) {                                                             \
            type expected = (type)RUNTIME_SHUFFLED(shuffle_source(mode, t, by, width));            \
            assert_memory_equal(&result[t], &expected, sizeof expected);                           \
        }                                                                                          \
    }                                                                                              \
    static void shuffles_of_##name(void **state)                                                   \
    {                                                                                              \
        (void)state;                                                                               \
        for (int width = 8; width <= 32; width *= 2)                                               \
            for (int mode = WL_SHFL_IDX; mode <= WL_SHFL_XOR; mode++)                              \
                for (int by = 0; by <= 40; by += by < 4 ? 1 : 5)                                   \
                    check_##name((enum wl_shuffle)mode, by, width);                                \
    }
CHECK_SHUFFLES(shuffleInt, int)
CHECK_SHUFFLES(shuffleUnsigned, unsigned)
CHECK_SHUFFLES(shuffleFloat, float)
CHECK_SHUFFLES(shuffleDouble, double)
CHECK_SHUFFLES(shuffleLong, u64)

static void lanes_of_a_branch_shuffle_among_themselves(void **state)
{
    int result[64];
    (void)state;
    RUN(shuffleDivergent, .result = result);
    for (int t = 0; t < 32; t++) {
        int down = t + 4 < 32 ? t + 4 : t;
        /* Lane t ^ 2 of lane 1 modulo 4 is on the other side: its value is undefined, ours its own.
         */
        int own = t % 4 == 1 ? t : t ^ 2;
        assert_int_equal(result[2 * t], 100 + (t % 4 == 3 ? down : own));
        assert_int_equal(result[2 * t + 1], 131);
    }
}

static void lanes_that_are_left_in_a_loop_shuffle_among_themselves(void **state)
{
    int result[32];
    (void)state;
    RUN(shuffleInLoop, .result = result);
    for (int t = 0; t < 32; t++)
        assert_int_equal(result[t], t * (t + 1) / 2);
}

static void shuffles_add_up_a_warp(void **state)
{
    float result[96];
    (void)state;
    RUN(shuffleSum, .block = {96, 1, 1}, .result = result);
    assert_int_equal(recorder.total, 3);
    for (int warp = 0; warp < 3; warp++)
        assert_true(result[warp] == (float)(32 * 32 * warp + 31 * 16 + 16));
}

/* ---- Votes ------------------------------------------------------------------------------------
 */

static void votes_count_the_lanes_of_the_mask(void **state)
{
    unsigned result[32 * VOTE_WORDS];
    (void)state;
    RUN(votes, .result = result);
    for (unsigned t = 0; t < 32; t++) {
        const unsigned *p = &result[(size_t)t * VOTE_WORDS];
        assert_int_equal(p[0], 0x49249249);
        assert_int_equal(p[1], 1);
        assert_int_equal(p[2], 0);
        assert_int_equal(p[3], t < 12 ? 0xdb6 : 0xaaaaa000);
        assert_int_equal(p[4], t >= 12);
        assert_int_equal(p[5], t < 12);
    }
}

static void the_active_mask_is_the_lanes_that_are_together(void **state)
{
    const unsigned fives = 0x42108421; /* 0, 5, 10, ... 30 */
    unsigned result[96];
    (void)state;
    RUN(activeMasks, .result = result);
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(result[t], FULL);
        assert_int_equal(result[32 + t], fives);
        assert_int_equal(result[64 + t], t == 0 ? fives : FULL << t);
    }
}

static void the_active_mask_of_a_short_warp_is_its_lanes(void **state)
{
    unsigned result[96];
    (void)state;
    RUN(activeMasks, .block = {20, 1, 1}, .result = result);
    for (unsigned t = 0; t < 20; t++)
        assert_int_equal(result[t], 0xfffff);
}

static void syncwarp_orders_plain_accesses(void **state)
{
    int result[32];
    (void)state;
    RUN(syncWarp, .result = result);
    for (int t = 0; t < 32; t++)
        assert_int_equal(result[t], t < 8 ? 10 * (7 - t) : 496);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_warp_of_a_reduction_runs_in_lockstep),
        cmocka_unit_test(a_volatile_load_sees_what_other_lanes_stored),
        cmocka_unit_test(lockstep_lanes_may_part),
        cmocka_unit_test(a_barrier_in_a_loop_orders_all_warps_of_the_block),
        cmocka_unit_test(a_barrier_may_be_conditional_when_the_block_agrees),
        cmocka_unit_test(warps_may_come_to_a_barrier_in_a_function_from_different_calls),
        cmocka_unit_test(shuffles_of_shuffleInt),
        cmocka_unit_test(shuffles_of_shuffleUnsigned),
        cmocka_unit_test(shuffles_of_shuffleFloat),
        cmocka_unit_test(shuffles_of_shuffleDouble),
        cmocka_unit_test(shuffles_of_shuffleLong),
        cmocka_unit_test(lanes_of_a_branch_shuffle_among_themselves),
        cmocka_unit_test(lanes_that_are_left_in_a_loop_shuffle_among_themselves),
        cmocka_unit_test(shuffles_add_up_a_warp),
        cmocka_unit_test(votes_count_the_lanes_of_the_mask),
        cmocka_unit_test(the_active_mask_is_the_lanes_that_are_together),
        cmocka_unit_test(the_active_mask_of_a_short_warp_is_its_lanes),
        cmocka_unit_test(syncwarp_orders_plain_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
