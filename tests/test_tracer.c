/* test_tracer.c - is what the tracer reports of a launch what the kernel did? Order, active lanes,
 * addresses, source lines, arrays, blocks and threads; and the same again each time.
 */
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"
#include "tracer/engine.h"

/* ---- One warp ---------------------------------------------------------------------------------
 */

static void accesses_come_in_the_order_of_the_source(void **state)
{
    static const char *const arrays[] = {"a", "b", "out"};
    static const uint8_t ops[] = {OP_LOAD, OP_LOAD, OP_STORE};
    (void)state;
    RUN(addArrays, .n = 32);
    assert_int_equal(recorder.total, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct recorded *access = &recorder.kept[i];
        const struct trace_site *site = recorder_site(access);
        assert_string_equal(site->array, arrays[i]);
        assert_string_equal(site->file, "runtime_kernels.c");
        assert_int_equal(site->op, ops[i]);
        assert_int_equal(site->space, SPACE_GLOBAL);
        assert_int_equal(site->width, 4);
        assert_int_equal(access->op, ops[i]);
        assert_int_equal(access->space, SPACE_GLOBAL);
        assert_int_equal(access->width, 4);
        assert_int_equal(access->flags, 0);
    }
}

static void an_access_has_the_line_it_was_made_at(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32);
    assert_ptr_equal(recorder_at(HERE_LOAD, 0), &recorder.kept[0]);
    assert_ptr_equal(recorder_at(HERE_OTHER, 0), &recorder.kept[1]);
    assert_ptr_equal(recorder_at(HERE_STORE, 0), &recorder.kept[2]);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(recorder_count_at((enum here)i), 1);
}

static void a_full_warp_in_order_needs_no_list_of_addresses(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32);
    for (size_t i = 0; i < 3; i++) {
        const struct recorded *access = &recorder.kept[i];
        assert_int_equal(access->active, UINT32_MAX);
        assert_int_equal(access->resident, UINT32_MAX);
        assert_true(access->affine);
        recorder_assert_line(access, access->addr[0], 4);
    }
}

static void lanes_that_do_not_take_part_are_not_active(void **state)
{
    (void)state;
    for (int n = 1; n <= 32; n++) {
        RUN(addArrays, .n = n);
        assert_int_equal(recorder.total, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(recorder.kept[i].active, UINT32_MAX >> (32 - n));
            assert_int_equal(recorder.kept[i].resident, UINT32_MAX);
            recorder_assert_line(&recorder.kept[i], recorder.kept[i].addr[0], 4);
        }
    }
    RUN(addArrays, .n = 0);
    assert_int_equal(recorder.total, 0);
}

static void arrays_start_at_multiples_of_256_bytes_one_after_another(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32);
    uint64_t a = recorder_of("a", 0)->addr[0], b = recorder_of("b", 0)->addr[0];
    uint64_t out = recorder_of("out", 0)->addr[0];
    assert_int_equal(a % 256, 0);
    assert_int_equal(b % 256, 0);
    assert_int_equal(out % 256, 0);
    assert_true(out + 128 <= a && a + 128 <= b);
}

/* ---- Blocks and grids -------------------------------------------------------------------------
 */

static void a_block_of_33_threads_has_a_warp_of_one(void **state)
{
    (void)state;
    RUN(addArrays, .block = {33, 1, 1}, .n = 33);
    assert_int_equal(recorder.total, 6);
    assert_int_equal(recorder.kept[0].active, UINT32_MAX);
    for (size_t i = 3; i < 6; i++) {
        assert_int_equal(recorder.kept[i].active, 1);
        assert_int_equal(recorder.kept[i].resident, 1);
        assert_int_equal(recorder.kept[i].addr[0], recorder.kept[i - 3].addr[0] + 128);
    }
}

static unsigned product(dim3 size)
{
    return size.x * size.y * size.z;
}

static void assert_index(const unsigned *p, unsigned linear, dim3 size)
{
    assert_int_equal(p[0], linear % size.x);
    assert_int_equal(p[1], linear / size.x % size.y);
    assert_int_equal(p[2], linear / size.x / size.y);
}

/* Indices count with x fastest, in a block and in the grid; warps are 32 threads in that order. */
static void check_indices(dim3 grid, dim3 block)
{
    static unsigned found[12 * 4096];
    const unsigned threads = product(block), blocks = product(grid), warps = (threads + 31) / 32;
    RUN(whoAmI, .grid = grid, .block = block, .result = found);
    for (unsigned i = 0; i < threads * blocks; i++) {
        const unsigned *p = &found[(size_t)12 * i];
        assert_index(p, i % threads, block);
        assert_index(p + 3, i / threads, grid);
        assert_memory_equal(p + 6, (&(unsigned[]){block.x, block.y, block.z}), 12);
        assert_memory_equal(p + 9, (&(unsigned[]){grid.x, grid.y, grid.z}), 12);
    }
    assert_int_equal(recorder_count_at(HERE_STORE), warps * blocks);
    for (unsigned i = 0; i < warps * blocks; i++) {
        const struct recorded *store = recorder_at(HERE_STORE, i);
        unsigned lanes = threads - i % warps * 32;
        uint32_t mask = lanes >= 32 ? UINT32_MAX : (1U << lanes) - 1;
        assert_int_equal(store->block, i / warps);
        assert_int_equal(store->active, mask);
        assert_int_equal(store->resident, mask);
        recorder_assert_line(
            store, recorder.kept[0].addr[0] + 48ULL * (i / warps * threads + i % warps * 32), 48);
    }
}

static void threads_know_their_indices_in_three_dimensions(void **state)
{
    (void)state;
    check_indices((dim3){1, 1, 1}, (dim3){32, 1, 1});
    check_indices((dim3){1, 1, 1}, (dim3){7, 5, 3});
    check_indices((dim3){3, 2, 4}, (dim3){7, 5, 3});
    check_indices((dim3){2, 1, 3}, (dim3){1, 33, 1});
    check_indices((dim3){1, 5, 1}, (dim3){1, 1, 64});
    check_indices((dim3){3, 1, 1}, (dim3){1024, 1, 1});
    check_indices((dim3){5, 5, 5}, (dim3){1, 1, 1});
}

static void a_launch_is_announced_and_ended(void **state)
{
    (void)state;
    RUN(sharedDynamic, .n = 128, .grid = {3, 2, 1});
    assert_int_equal(recorder.begun, 1);
    assert_int_equal(recorder.ended, 1);
    assert_string_equal(recorder.launches[0].kernel, "sharedDynamic");
    assert_memory_equal(recorder.launches[0].grid, (&(uint32_t[]){3, 2, 1}), 12);
    assert_memory_equal(recorder.launches[0].block, (&(uint32_t[]){32, 1, 1}), 12);
    assert_int_equal(recorder.launches[0].dynamic_shared_bytes, 128);
    assert_int_equal(recorder.shared_bytes, 128 + 4);
}

/* ---- Several launches and runs -----------------------------------------------------------------
 */

static void a_run_may_have_several_launches(void **state)
{
    static const char *const arrays[] = {"a", "b", "b", "c"};
    (void)state;
    RUN(copyTwice, .n = 0);
    assert_int_equal(recorder.begun, 2);
    assert_int_equal(recorder.ended, 2);
    assert_int_equal(recorder.total, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(recorder_count_of(arrays[i]), i == 1 || i == 2 ? 2 : 1);
        assert_int_equal(recorder.kept[i].launch, i / 2);
    }
}

/* One static access that works on two arrays in turn is two sites. */
static void a_site_is_one_access_on_one_array(void **state)
{
    (void)state;
    RUN(copyTwice, .n = 0, .grid = {4, 1, 1});
    assert_int_equal(recorder.site_count, 4);
    assert_int_equal(recorder_count_at(HERE_LOAD), 16);
}

static void assert_same_again(host_function *host, int n)
{
    struct runtime_args args = {.block = {64, 1, 1}, .n = n};
    recorder_run_well(host, &args);
    const struct recorder first = recorder;
    recorder_run_well(host, &args);
    assert_int_equal(recorder.total, first.total);
    assert_int_equal(recorder.hash, first.hash);
    assert_int_equal(recorder.site_count, first.site_count);
}

static void the_same_kernel_gives_the_same_trace_again(void **state)
{
    (void)state;
#define ASSERT_SAME_AGAIN(name)                                                                    \
    assert_same_again(run_##name, 1);                                                              \
    assert_same_again(run_##name, 17);
    RUNTIME_DIVERGENCE(ASSERT_SAME_AGAIN)
    RUNTIME_CALLS(ASSERT_SAME_AGAIN)
    assert_same_again(run_addArrays, 50);
    assert_same_again(run_lastWarp, 0);
    assert_same_again(run_divergentAtomics, 0);
    assert_same_again(run_lateLoopEnd, 600);
}

/* Runs what fails, then the copy whose trace has that hash. */
static void fail_and_run(host_function *failing, int n, uint64_t hash)
{
    recorder_run(failing, &(struct runtime_args){.grid = {2, 1, 1}, .n = n});
    assert_non_null(tracer_error());
    assert_int_equal(recorder.begun, 1);
    assert_int_equal(recorder.ended, 0);
    recorder_run_well(run_addArrays, &(struct runtime_args){.n = 20});
    assert_int_equal(recorder.hash, hash);
}

static void a_failed_run_leaves_nothing_behind(void **state)
{
    (void)state;
    RUN(addArrays, .n = 20);
    uint64_t hash = recorder.hash;
    fail_and_run(run_barrierTwo, 1, hash);
    fail_and_run(run_failInBlock, 1, hash);
    fail_and_run(run_sharedAt, 9, hash);
    fail_and_run(run_volatileFailure, 9, hash);
}

static void the_last_error_belongs_to_the_run(void **state)
{
    (void)state;
    recorder_run(run_failInBlock, &(struct runtime_args){.n = 0});
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    recorder_run(run_hugeAllocation, &(struct runtime_args){.n = 0});
    assert_non_null(tracer_error());
    RUN(addArrays, .n = 32);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void launches_without_a_tracer_do_nothing(void **state)
{
    int result[64] = {0};
    (void)state;
    RUN(addArrays, .n = 32);
    uint64_t total = recorder.total;
    run_lastWarp(&(struct runtime_args){.block = {64, 1, 1}, .result = result});
    assert_int_equal(recorder.total, total);
}

static void the_clock_moves_with_the_lane(void **state)
{
    long moved[32];
    (void)state;
    RUN(countAccesses, .result = moved);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(moved[i], 2);
}

/* x86-64 has pages of 4 KB, arm64 systems of 4, 16 or 64: protecting less than a page, or from the middle of one on, fails
 * or takes the neighbour's stack. */
static void each_stack_is_whole_above_a_guard_of_whole_pages(void **state)
{
    static const size_t pages[] = {4096, 16384, 65536};
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        const struct lane_slot slot = lane_slot_of_page(pages[i]);
        assert_int_equal(slot.guard_bytes, pages[i]);
        assert_int_equal(slot.bytes % pages[i], 0);
        for (unsigned lane = 0; lane < BLOCK_LANES_MAX; lane++) {
            const size_t end = lane_stack_end(&slot, lane), begin = end - LANE_STACK_BYTES;
            assert_true(begin >= lane * slot.bytes + slot.guard_bytes);
            assert_true(begin - (lane * slot.bytes + slot.guard_bytes) <= 4096);
            assert_true(end <= (lane + 1) * slot.bytes);
            assert_int_equal(end % 16, 0);
        }
    }
    assert_int_equal(lane_slot_of_page(4096).bytes, 4096 + LANE_STACK_BYTES + 4096);
    assert_int_equal(lane_slot_of_page(65536).bytes, 3 * 65536);
}

static void the_compiler_of_the_kernels_is_known(void **state)
{
    (void)state;
    assert_true(strstr(tracer_compiler(), "gcc") || strstr(tracer_compiler(), "clang"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_come_in_the_order_of_the_source),
        cmocka_unit_test(an_access_has_the_line_it_was_made_at),
        cmocka_unit_test(a_full_warp_in_order_needs_no_list_of_addresses),
        cmocka_unit_test(lanes_that_do_not_take_part_are_not_active),
        cmocka_unit_test(arrays_start_at_multiples_of_256_bytes_one_after_another),
        cmocka_unit_test(a_block_of_33_threads_has_a_warp_of_one),
        cmocka_unit_test(threads_know_their_indices_in_three_dimensions),
        cmocka_unit_test(a_launch_is_announced_and_ended),
        cmocka_unit_test(a_run_may_have_several_launches),
        cmocka_unit_test(a_site_is_one_access_on_one_array),
        cmocka_unit_test(the_same_kernel_gives_the_same_trace_again),
        cmocka_unit_test(a_failed_run_leaves_nothing_behind),
        cmocka_unit_test(the_last_error_belongs_to_the_run),
        cmocka_unit_test(launches_without_a_tracer_do_nothing),
        cmocka_unit_test(the_clock_moves_with_the_lane),
        cmocka_unit_test(each_stack_is_whole_above_a_guard_of_whole_pages),
        cmocka_unit_test(the_compiler_of_the_kernels_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
