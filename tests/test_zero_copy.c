/* test_zero_copy.c - do accesses to pinned host memory move the bytes they should over PCIe, at its
 * bandwidth?
 *
 * The figures: 8 GB/s on PCIe 2.0 x16 (CUDA C Best Practices Guide 5.5); 32 GB/s both ways together
 * on PCIe 3.0 x16.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "published.h"

enum { FLOATS = 1 << 20, BYTES = 4 * FLOATS };

/* GB/s over PCIe, both ways together: at most `peak`, and not much less. */
static void assert_bandwidth(const char *gpu, const char *kernel, double peak)
{
    struct counters c = published_run_timed(gpu, kernel, "");
    double reached = published_metric(&c, "host_bandwidth");
    if (reached > peak || reached < 0.97 * peak)
        fail_msg("%s on %s: %.2f GB/s, %.0f expected", kernel, gpu, reached, peak);
}

static void reads_reach_the_bandwidth_of_one_way(void **state)
{
    (void)state;
    assert_bandwidth("k20x", "sumArraysZeroCopy", 8);
    assert_bandwidth("k40", "sumArraysZeroCopy", 16);
    assert_bandwidth("gtx1080ti", "sumArraysZeroCopy", 16);
}

static void both_ways_together_reach_twice_as_much(void **state)
{
    (void)state;
    assert_bandwidth("k20x", "zeroCopyBoth", 16);
    assert_bandwidth("k40", "zeroCopyBoth", 32);
}

static void coalesced_data_crosses_once(void **state)
{
    (void)state;
    struct counters c = published_run_timed("gtx1080ti", "zeroCopyBoth", "");
    assert_int_equal(c.host_read_bytes, BYTES);
    assert_int_equal(c.host_write_bytes, BYTES);
    assert_int_equal(c.l1_lookup_sectors, 0);
    assert_int_equal(c.l2_read_sectors, 0);
    assert_int_equal(c.dram_read_sectors + c.dram_write_sectors, 0);
}

static void a_stride_of_8_moves_eight_times_the_bytes(void **state)
{
    (void)state;
    static const char *const params[] = {"stride=1", "stride=2", "stride=4", "stride=8",
                                         "stride=16"};
    static const unsigned times[] = {1, 2, 4, 8, 8};
    for (unsigned i = 0; i < 5; i++) {
        struct counters c = published_run_timed("h200", "zeroCopyStride", params[i]);
        assert_int_equal(c.host_read_bytes, (uint64_t)times[i] << 20);
        assert_int_equal(c.host_write_bytes, 0);
    }
}

static void every_read_crosses_again_and_a_copy_does_not(void **state)
{
    (void)state;
    struct counters again = published_run_timed("gtx1080ti", "zeroCopyAgain", "reads=4");
    struct counters copied = published_run_timed("gtx1080ti", "copyFirst", "reads=4");
    assert_int_equal(again.host_read_bytes, 4 * BYTES);
    assert_int_equal(copied.host_read_bytes, BYTES);
    assert_true(copied.elapsed_ns < again.elapsed_ns / 3);
}

/* Read once, the copy buys nothing. */
static void for_one_read_the_copy_is_slower(void **state)
{
    (void)state;
    struct counters again = published_run_timed("gtx1080ti", "zeroCopyAgain", "reads=1");
    struct counters copied = published_run_timed("gtx1080ti", "copyFirst", "reads=1");
    assert_true(copied.elapsed_ns > again.elapsed_ns);
}

/* Without enough warps nothing hides the way to the host and back. */
static void one_block_is_limited_by_latency(void **state)
{
    (void)state;
    struct counters c = published_run_timed("gtx1080ti", "sumArraysZeroCopy", "n=1024 block=32");
    assert_true(c.limited_host_cycles < c.elapsed_cycles / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_reach_the_bandwidth_of_one_way),
        cmocka_unit_test(both_ways_together_reach_twice_as_much),
        cmocka_unit_test(coalesced_data_crosses_once),
        cmocka_unit_test(a_stride_of_8_moves_eight_times_the_bytes),
        cmocka_unit_test(every_read_crosses_again_and_a_copy_does_not),
        cmocka_unit_test(for_one_read_the_copy_is_slower),
        cmocka_unit_test(one_block_is_limited_by_latency),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
