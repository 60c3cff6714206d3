/* test_tracer_errors.c - is what a kernel must not do an error, with one message that says where,
 * what and which thread? Does the launch stop there?
 */
#include <stdio.h>
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"

#define FAILS(name, here, message, ...)                                                            \
    do {                                                                                           \
        recorder_run(run_##name, &(struct runtime_args){__VA_ARGS__});                             \
        recorder_assert_error(here, #name, message);                                               \
    } while (0)

/* An error of a launch or of host code. */
#define REFUSED(name, message, ...)                                                                \
    do {                                                                                           \
        recorder_run(run_##name, &(struct runtime_args){__VA_ARGS__});                             \
        assert_non_null(tracer_error());                                                           \
        assert_string_equal(tracer_error(), message);                                              \
    } while (0)

/* ---- Out of bounds ----------------------------------------------------------------------------
 */

static void the_ends_of_an_array_are_within_bounds(void **state)
{
    (void)state;
    RUN(loadAt, .n = 0);
    RUN(storeAt, .n = 0);
    RUN(atomicAt, .n = 0, .choice = 1);
    RUN(sharedAt, .n = 8);
    RUN(dynamicAt, .n = 0, .block = {25, 1, 1});
}

static void an_access_one_element_past_the_end_is_an_error(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at in + 128 bytes, outside every array: in has 128 bytes "
          "[block (0,0,0), thread (31,0,0)]",
          .n = 1);
    FAILS(storeAt, HERE_STORE,
          "store of 4 bytes at out + 128 bytes, outside every array: out has 128 bytes "
          "[block (0,0,0), thread (31,0,0)]",
          .n = 1);
    FAILS(atomicAt, HERE_OTHER,
          "atomic of 4 bytes at out + 128 bytes, outside every array: out has 128 bytes "
          "[block (0,0,0), thread (31,0,0)]",
          .n = 1, .choice = 1);
}

static void an_access_far_from_every_array_is_an_error(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at in + 4000000 bytes, outside every array: in has 128 bytes "
          "[block (0,0,0), thread (0,0,0)]",
          .n = 1000000);
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at freed + 40000 bytes, outside every array: freed has 128 bytes "
          "[block (0,0,0), thread (0,0,0)]",
          .n = -11504);
}

static void an_access_before_an_array_is_an_error(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at in - 4 bytes, outside every array: in has 128 bytes "
          "[block (0,0,0), thread (0,0,0)]",
          .n = -1);
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at out - 8 bytes, outside every array: out has 128 bytes "
          "[block (0,0,0), thread (0,0,0)]",
          .n = -2, .choice = FROM_FIRST);
    FAILS(storeAt, HERE_STORE,
          "store of 4 bytes at out - 4 bytes, outside every array: out has 128 bytes "
          "[block (0,0,0), thread (0,0,0)]",
          .n = -1);
}

static void pointers_that_are_not_device_memory_are_errors(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "access of 4 bytes outside every array: the address is null "
          "[block (0,0,0), thread (0,0,0)]",
          .choice = FROM_NULL);
    FAILS(
        loadAt, HERE_LOAD,
        "access of 4 bytes outside every array: the address is host memory, which a kernel cannot "
        "reach [block (0,0,0), thread (0,0,0)]",
        .choice = FROM_HOST);
}

static void a_freed_array_is_out_of_bounds(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at freed + 8 bytes, which was freed [block (0,0,0), thread (0,0,0)]",
          .choice = FROM_FREED, .n = 2);
}

/* ---- What was never written --------------------------------------------------------------------
 */

static void a_load_of_what_was_never_written_is_an_error(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at out + 0 bytes, which was never written "
          "[block (0,0,0), thread (0,0,0)]",
          .choice = FROM_FIRST);
    FAILS(atomicAt, HERE_OTHER,
          "atomic of 4 bytes at out + 0 bytes, which was never written "
          "[block (0,0,0), thread (0,0,0)]",
          .n = 0);
}

static void a_load_of_what_was_partly_written_is_an_error(void **state)
{
    (void)state;
    FAILS(loadAt, HERE_LOAD,
          "load of 4 bytes at in + 124 bytes, which was never written "
          "[block (0,0,0), thread (31,0,0)]",
          .choice = FROM_UNWRITTEN);
    FAILS(loadDoubleAt, HERE_LOAD,
          "load of 8 bytes at in + 248 bytes, which was never written "
          "[block (0,0,0), thread (31,0,0)]",
          .n = 0);
}

static void what_a_kernel_stored_may_be_loaded(void **state)
{
    (void)state;
    RUN(copyTwice, .n = 0);
    RUN(divergentAtomics, .n = 0);
}

/* ---- Alignment --------------------------------------------------------------------------------
 */

static void a_misaligned_vector_access_is_an_error(void **state)
{
    (void)state;
    FAILS(loadDoubleAt, HERE_LOAD,
          "misaligned access: 8 bytes at an address that is no multiple of 8 "
          "[block (0,0,0), thread (0,0,0)]",
          .n = 1);
    RUN(loadDoubleAt, .n = 2, .block = {30, 1, 1});
    if (strstr(tracer_compiler(), "clang")) /* a copy of bytes: nothing tells the type */
        return;
    FAILS(loadFloat4At, HERE_LOAD,
          "misaligned access: 16 bytes at an address that is no multiple of 16 "
          "[block (0,0,0), thread (0,0,0)]",
          .n = 2);
}

/* ---- Shared and constant memory ----------------------------------------------------------------
 */

static void a_shared_array_has_bounds(void **state)
{
    (void)state;
    FAILS(sharedAt, HERE_STORE,
          "shared-memory access of 4 bytes at tile + 160 bytes, outside every array: tile has 160 "
          "bytes [block (0,0,0), thread (31,0,0)]",
          .n = 9);
    FAILS(dynamicAt, HERE_STORE,
          "shared-memory access of 4 bytes at buffer + 100 bytes, outside every array: buffer has "
          "100 bytes [block (0,0,0), thread (25,0,0)]",
          .n = 0);
}

static void a_store_to_constant_memory_is_an_error(void **state)
{
    (void)state;
    FAILS(constantStore, HERE_STORE,
          "store to constant memory, which a kernel cannot write "
          "[block (0,0,0), thread (0,0,0)]",
          .n = 1);
}

/* ---- Barriers ---------------------------------------------------------------------------------
 */

static void assert_missing(const char *kernel, const char *thread, uint64_t count)
{
    char expected[512];
    snprintf(
        expected, sizeof expected,
        "runtime_kernels_errors.c:%u: in %s: barrier that this thread does not reach, as it has "
        "returned from the kernel: undefined in CUDA; it counts as arrived here, as on GPUs "
        "[block (0,0,0), thread %s]",
        recorder_line(HERE_BARRIER), kernel, thread);
    assert_int_equal(recorder.fault_count, 1);
    assert_int_equal(recorder.fault.kind, FAULT_BARRIER_NOT_REACHED);
    assert_int_equal(recorder.fault.count, count);
    assert_false(recorder.fault.stops);
    assert_string_equal(recorder.fault_text, expected);
}

#define MISSES(name, thread, count, ...)                                                           \
    do {                                                                                           \
        RUN(name, __VA_ARGS__);                                                                    \
        assert_missing(#name, thread, count);                                                      \
    } while (0)

/* One fault, however many blocks do it, that counts the lanes; the lanes that are left go on behind the barrier. */
static void lanes_that_have_ended_count_as_arrived(void **state)
{
    (void)state;
    MISSES(barrierAfterReturn, "(5,0,0)", 3, .n = 1, .grid = {3, 1, 1});
    assert_int_equal(recorder.total, 3 * 2);
    assert_int_equal(recorder.kept[1].active, ~(1U << 5));
    MISSES(barrierInBranch, "(16,0,0)", 16, .n = 1);
    MISSES(barrierUneven, "(0,0,0)", 16, .n = 1);
    RUN(barrierUneven, .n = 1, .block = {16, 1, 1});
}

/* A warp that has ended ends once, and the others' barriers are theirs alone. */
static void a_warp_that_has_ended_is_not_at_later_barriers(void **state)
{
    (void)state;
    RUN(barrierOfOneWarp, .n = 1, .block = {64, 1, 1});
    for (uint32_t warp = 0; warp < 2; warp++) {
        assert_int_equal(recorder_count_events(TRACE_WARP_END, 0, warp), 1);
        assert_int_equal(recorder_count_events(TRACE_BARRIER, 0, warp), warp == 0);
    }
}

static void lanes_at_two_barriers_are_an_error(void **state)
{
    char message[256];
    (void)state;
    recorder_run(run_barrierTwo, &(struct runtime_args){.n = 1});
    snprintf(message, sizeof message,
             "barrier that not all lanes of the block reach: thread (3,0,0) waits at the one in "
             "line %u [block (0,0,0), thread (0,0,0)]",
             recorder_line(HERE_OTHER));
    recorder_assert_error(HERE_BARRIER, "barrierTwo", message);
}

/* ---- After an error ---------------------------------------------------------------------------
 */

/* Blocks before the one that fails are traced; nothing is after it, nor is the launch that follows.
 */
static void the_launch_stops_at_the_error(void **state)
{
    (void)state;
    FAILS(failInBlock, HERE_STORE,
          "store of 4 bytes at out + 128 bytes, outside every array: out has 128 bytes "
          "[block (2,0,0), thread (3,0,0)]",
          .grid = {5, 1, 1}, .n = 2);
    assert_int_equal(recorder.begun, 1);
    assert_int_equal(recorder.ended, 0);
    assert_int_equal(recorder.total, 2 * 2);
    for (size_t i = 0; i < recorder.total; i++)
        assert_int_equal(recorder.kept[i].block, i / 2);
}

static void the_message_names_block_and_thread_in_three_dimensions(void **state)
{
    (void)state;
    FAILS(storeAt, HERE_STORE,
          "store of 4 bytes at out + 128 bytes, outside every array: out has 128 bytes "
          "[block (0,0,0), thread (1,2,3)]",
          .grid = {2, 3, 4}, .block = {2, 4, 4}, .n = 3);
    FAILS(failInBlock, HERE_STORE,
          "store of 4 bytes at out + 128 bytes, outside every array: out has 128 bytes "
          "[block (3,2,1), thread (3,0,0)]",
          .grid = {4, 3, 2}, .n = 3 + 4 * (2 + 3 * 1));
}

/* ---- Launches and host code --------------------------------------------------------------------
 */

static void impossible_launches_are_refused(void **state)
{
    (void)state;
    REFUSED(plainLaunch, "storeAt: a block of 0 x 1 x 1 threads: 1 to 1024 threads are possible",
            .grid = {1, 1, 1}, .block = {0, 1, 1});
    REFUSED(plainLaunch, "storeAt: a block of 32 x 33 x 1 threads: 1 to 1024 threads are possible",
            .grid = {1, 1, 1}, .block = {32, 33, 1});
    REFUSED(plainLaunch,
            "storeAt: a grid of 1 x 0 x 1 blocks: 1 to 2147483647 x 65535 x 65535 are possible",
            .grid = {1, 0, 1}, .block = {32, 1, 1});
    REFUSED(plainLaunch,
            "storeAt: a grid of 1 x 65536 x 1 blocks: 1 to 2147483647 x 65535 x 65535 are possible",
            .grid = {1, 65536, 1}, .block = {32, 1, 1});
    REFUSED(plainLaunch,
            "storeAt: a grid of 2147483648 x 1 x 1 blocks: 1 to 2147483647 x 65535 x 65535 are "
            "possible",
            .grid = {1U << 31, 1, 1}, .block = {32, 1, 1});
    REFUSED(plainLaunch, "storeAt: 232449 bytes of dynamic shared memory: 0 to 232448 are possible",
            .grid = {1, 1, 1}, .block = {32, 1, 1}, .n = 227 * 1024 + 1);
    assert_int_equal(recorder.begun, 0);
}

static void a_shuffle_has_a_width_that_is_a_power_of_two(void **state)
{
    int result[32];
    (void)state;
    recorder_run(run_shuffleInt, &(struct runtime_args){.n = 12000, .result = result});
    assert_non_null(strstr(tracer_error(),
                           ": in shuffleInt: shuffle width 12: 1, 2, 4, 8, 16 or 32 "
                           "is possible [block (0,0,0), thread (0,0,0)]"));
}

static void host_code_has_its_errors_too(void **state)
{
    (void)state;
    REFUSED(hugeAllocation,
            "cudaMalloc of 1152921504606846976 bytes for huge: no room in device memory", .n = 0);
    REFUSED(copyPastEnd,
            "cudaMemcpy (kind 1) of 132 bytes: the destination is outside every device array",
            .choice = cudaMemcpyHostToDevice);
    REFUSED(copyPastEnd,
            "cudaMemcpy (kind 2) of 132 bytes: the source is outside every device array",
            .choice = cudaMemcpyDeviceToHost);
    REFUSED(setPastEnd, "cudaMemset of 132 bytes: the range is outside every device array",
            .n = 132);
    REFUSED(setPastEnd,
            "cudaMemset of 18446744073709551488 bytes: the range is outside every device array",
            .n = -128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_of_an_array_are_within_bounds),
        cmocka_unit_test(an_access_one_element_past_the_end_is_an_error),
        cmocka_unit_test(an_access_far_from_every_array_is_an_error),
        cmocka_unit_test(an_access_before_an_array_is_an_error),
        cmocka_unit_test(pointers_that_are_not_device_memory_are_errors),
        cmocka_unit_test(a_freed_array_is_out_of_bounds),
        cmocka_unit_test(a_load_of_what_was_never_written_is_an_error),
        cmocka_unit_test(a_load_of_what_was_partly_written_is_an_error),
        cmocka_unit_test(what_a_kernel_stored_may_be_loaded),
        cmocka_unit_test(a_misaligned_vector_access_is_an_error),
        cmocka_unit_test(a_shared_array_has_bounds),
        cmocka_unit_test(a_store_to_constant_memory_is_an_error),
        cmocka_unit_test(lanes_that_have_ended_count_as_arrived),
        cmocka_unit_test(a_warp_that_has_ended_is_not_at_later_barriers),
        cmocka_unit_test(lanes_at_two_barriers_are_an_error),
        cmocka_unit_test(the_launch_stops_at_the_error),
        cmocka_unit_test(the_message_names_block_and_thread_in_three_dimensions),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(a_shuffle_has_a_width_that_is_a_power_of_two),
        cmocka_unit_test(host_code_has_its_errors_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
