/* test_tracer_events.c - does the tracer say when warps come to barriers and end, and which warp
 * made an access?
 */
#include "test_support.h"
#include "trace_recorder.h"

static void assert_events(uint32_t block, uint32_t warps, size_t barriers)
{
    for (uint32_t warp = 0; warp < warps; warp++) {
        assert_int_equal(recorder_count_events(TRACE_BARRIER, block, warp), barriers);
        assert_int_equal(recorder_count_events(TRACE_WARP_END, block, warp), 1);
    }
    assert_int_equal(recorder_count_events(TRACE_BLOCK_END, block, 0), 1);
    assert_int_equal(recorder_event(TRACE_BLOCK_END, block, 0, 0)->event.work, 0);
}

static void accesses_name_their_warp(void **state)
{
    (void)state;
    RUN(addArrays, .grid = {2, 1, 1}, .block = {80, 1, 1}, .n = 160);
    assert_int_equal(recorder.total, 18);
    for (size_t i = 0; i < 18; i++)
        assert_int_equal(recorder.kept[i].warp, i / 3 % 3);
}

static void warps_and_blocks_end_once(void **state)
{
    (void)state;
    RUN(addArrays, .grid = {2, 1, 1}, .block = {33, 1, 1}, .n = 66);
    assert_int_equal(recorder.event_count, 6);
    assert_events(0, 2, 0);
    assert_events(1, 2, 0);
    for (uint32_t block = 0; block < 2; block++) {
        for (uint32_t warp = 0; warp < 2; warp++)
            assert_int_equal(recorder_event(TRACE_WARP_END, block, warp, 0)->accesses,
                             6 * block + 3 * (warp + 1));
        assert_int_equal(recorder_event(TRACE_BLOCK_END, block, 0, 0)->accesses, 6 * (block + 1));
    }
}

static void a_warp_without_accesses_ends_too(void **state)
{
    (void)state;
    RUN(addArrays, .block = {64, 1, 1}, .n = 32);
    assert_events(0, 2, 0);
    assert_true(recorder_event(TRACE_WARP_END, 0, 1, 0)->event.work > 0);
}

static void lanes_that_return_early_do_not_end_the_warp(void **state)
{
    (void)state;
    RUN(earlyReturn, .n = 3);
    assert_events(0, 1, 0);
    assert_int_equal(recorder_event(TRACE_WARP_END, 0, 0, 0)->accesses, recorder.count);
}

/* barrierLoop: a store, a barrier, a load, a barrier in each iteration. */
static void a_barrier_is_between_the_accesses_of_its_warp(void **state)
{
    (void)state;
    RUN(extraBeforeBarrierNone, .grid = {2, 1, 1}, .block = {96, 1, 1});
    for (uint32_t block = 0; block < 2; block++) {
        assert_events(block, 3, 1);
        for (uint32_t warp = 0; warp < 3; warp++) {
            size_t at = recorder_event(TRACE_BARRIER, block, warp, 0)->accesses;
            assert_int_equal(at, 6 * block + warp + 1);
            assert_int_equal(recorder.kept[at - 1].warp, warp);
            assert_int_equal(recorder_event(TRACE_WARP_END, block, warp, 0)->accesses,
                             6 * block + 3 + warp + 1);
        }
    }
}

static void every_barrier_is_an_event_of_every_warp(void **state)
{
    (void)state;
    RUN(barrierLoop, .block = {64, 1, 1}, .n = 3);
    size_t barriers = recorder_count_events(TRACE_BARRIER, 0, 0);
    assert_true(barriers > 1);
    assert_events(0, 2, barriers);
}

static bool count_access(void *context, const struct warp_access *access)
{
    (void)access;
    ++*(int *)context;
    return true;
}

static void nobody_need_take_events(void **state)
{
    int accesses = 0;
    const struct trace_sink sink = {.context = &accesses, .access = count_access};
    (void)state;
    tracer_start(&sink);
    run_extraBeforeBarrierNone(&(struct runtime_args){.n = 0});
    tracer_stop();
    assert_null(tracer_error());
    assert_int_equal(accesses, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_name_their_warp),
        cmocka_unit_test(warps_and_blocks_end_once),
        cmocka_unit_test(a_warp_without_accesses_ends_too),
        cmocka_unit_test(lanes_that_return_early_do_not_end_the_warp),
        cmocka_unit_test(a_barrier_is_between_the_accesses_of_its_warp),
        cmocka_unit_test(every_barrier_is_an_event_of_every_warp),
        cmocka_unit_test(nobody_need_take_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
