/* test_published_sectors.c - do the gallery's kernels give the global memory figures that profilers
 * showed on real GPUs, to the last digit that was printed?
 *
 * The kernels and sizes are those of the measurements; most are from Cheng, Grossman and McKercher,
 * "Professional CUDA C Programming" (2014), run again by others on later GPUs. Shared memory is in
 * test_published_banks.c, figures worked out in texts are in test_texts_*.c and test_book_*.c.
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

static void check_read_segment(const char *gpu, const char *params, uint64_t load_sectors,
                               const char *efficiency)
{
    struct counters c = published_run(gpu, "readSegment", params);
    assert_int_equal(c.global_load_sectors, load_sectors);
    assert_string_equal(published_rounded(published_metric(&c, "gld_efficiency"), 2), efficiency);
}

/* Nsight Compute on an RTX 4070 Ti: 2^22 elements, 8192 blocks of 512. The two loads of a warp take
 * 4 sectors each; the last warp's lanes drop out as the offset grows. */
static void rtx_4070_ti_reads_segments_in_these_sectors(void **state)
{
    (void)state;
    check_read_segment("rtx4070ti", "n=4194304 block=512 offset=0", 1048576, "100.00");
    check_read_segment("rtx4070ti", "n=4194304 block=512 offset=11", 1310716, "80.00");
    check_read_segment("rtx4070ti", "n=4194304 block=512 offset=128", 1048544, "100.00");
}

/* Nsight Compute on a V100: 2^20 elements. */
static void v100_reads_segments_in_these_sectors(void **state)
{
    (void)state;
    check_read_segment("v100", "n=1048576 offset=0", 262144, "100.00");
    check_read_segment("v100", "n=1048576 offset=11", 327676, "80.00");
    check_read_segment("v100", "n=1048576 offset=16", 262140, "100.00");
}

/* Sectors of a reduction in `blocks` blocks against the figures of a run in published_blocks. */
static void check_reduction(const char *kernel, uint64_t n, uint64_t blocks,
                            uint64_t published_blocks, uint64_t published_loads,
                            uint64_t published_stores)
{
    char params[32];
    snprintf(params, sizeof params, "n=%llu", (unsigned long long)n);
    struct counters c = published_run("rtx4070ti", kernel, params);
    assert_int_equal(c.blocks, blocks);
    assert_int_equal(c.global_load_sectors * published_blocks, published_loads * blocks);
    assert_int_equal(c.global_store_sectors * published_blocks, published_stores * blocks);
}

/* Nsight Compute on an RTX 4070 Ti: 2^24 ints in 131072 blocks of 128. Here 2^17 ints in 1024
 * blocks: the array of every block starts at a multiple of 512 bytes, so that every block makes the
 * same accesses relative to its start, and the sums are in proportion to the blocks: 68 sectors
 * loaded and 33 stored by each. */
static void reduction_in_global_memory_loads_68_and_stores_33_sectors_a_block(void **state)
{
    (void)state;
    check_reduction("reduceGmem", 1 << 17, 1024, 131072, 8912896, 4325376);
    check_reduction("reduceGmem", 1 << 17, 1024, 1, 68, 33);
}

/* The same measurement, and again every block makes the same accesses. */
static void reduction_in_shared_memory_loads_16_and_stores_1_sector_a_block(void **state)
{
    (void)state;
    check_reduction("reduceSmem", 1 << 17, 1024, 131072, 2097152, 131072);
    check_reduction("reduceSmem", 1 << 17, 1024, 1, 16, 1);
}

/* The same measurement at its full size: four blocks' elements a block, 32768 blocks. */
static void unrolled_reduction_has_a_quarter_of_the_stores(void **state)
{
    (void)state;
    check_reduction("reduceSmemUnroll", 1 << 24, 32768, 32768, 2097152, 32768);
}

static void check_tegra(const char *kernel, const char *gld_efficiency, const char *gst_efficiency,
                        const char *gld_transactions, const char *gst_transactions)
{
    struct counters c = published_run("tegra-x1", kernel, "nx=1024 ny=1024 block_x=16 block_y=16");
    const struct {
        const char *name, *want;
    } figures[] = {{"gld_efficiency", gld_efficiency},
                   {"gst_efficiency", gst_efficiency},
                   {"gld_transactions", gld_transactions},
                   {"gst_transactions", gst_transactions}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        double value = published_profiler(&c, PROFILER_N5, figures[i].name);
        assert_string_equal(published_exact(value), figures[i].want);
    }
}

/* nvprof on a Tegra X1: 1024 x 1024 floats, blocks of 16 x 16. gld_transactions is 16 for each of
 * the 32768 loads whatever its pattern, and 2 for the launch. */
static void tegra_x1_copies_and_transposes_with_these_counters(void **state)
{
    (void)state;
    check_tegra("copyRow", "100", "100", "524290", "131072");
    check_tegra("copyCol", "25", "12.5", "524290", "1048576");
    check_tegra("transposeRowCol", "100", "12.5", "524290", "1048576");
    check_tegra("transposeColRow", "25", "100", "524290", "131072");
}

/* Both L1 settings of a GT 1030 give the same counters. */
static struct counters run_gt1030(const char *params)
{
    static const char *const gpus[] = {"gt1030 l1_caches_global=1", "gt1030 l1_caches_global=0"};
    struct counters c[2];
    published_run_gpus(gpus, 2, "readSegment", params, c);
    assert_memory_equal(&c[0], &c[1], sizeof c[0]);
    return c[0];
}

/* nvprof on a GT 1030: two loads of 2^25 elements, 16 for each and 2 for the launch. */
static void gt_1030_shows_16_transactions_a_load_with_l1_on_or_off(void **state)
{
    (void)state;
    struct counters c = run_gt1030("n=33554432 offset=0");
    double value = published_profiler(&c, PROFILER_N5, "gld_transactions");
    assert_string_equal(published_exact(value), "33554434");
    value = published_profiler(&c, PROFILER_N5, "gld_efficiency");
    assert_string_equal(published_exact(value), "100");
}

/* The same measurement at offsets that are no multiple of 8 words. Here 2^22 elements: each full
 * warp moves 5 sectors for 4 at any size, and the lanes that drop out at the end, which keep the
 * ratio from being 80 % to all digits, do not show in two decimals at either size. */
static void gt_1030_is_80_percent_efficient_off_the_sectors_with_l1_on_or_off(void **state)
{
    (void)state;
    static const char *const params[] = {"n=4194304 offset=11", "n=4194304 offset=1",
                                         "n=4194304 offset=129"};
    for (size_t i = 0; i < 3; i++) {
        struct counters c = run_gt1030(params[i]);
        double value = published_profiler(&c, PROFILER_N5, "gld_efficiency");
        assert_string_equal(published_rounded(value, 2), "80.00");
    }
}

static void check_m2050(const char *params, double cached, double uncached)
{
    static const char *const gpus[] = {"m2050 l1_caches_global=1", "m2050 l1_caches_global=0"};
    struct counters c[2];
    published_run_gpus(gpus, 2, "readSegment", params, c);
    assert_float_equal(published_profiler(&c[0], PROFILER_N2, "gld_efficiency"), cached, 0.5);
    assert_float_equal(published_profiler(&c[1], PROFILER_N2, "gld_efficiency"), uncached, 0.5);
}

/* Cheng, Grossman and McKercher, chapter 4: nvprof on a Tesla M2050. The one test with a tolerance:
 * that profiler counts on some of the SMs and scales up, so the printed figures are off the exact
 * 100, 50 and 100 (L1 on) by up to 0.4. */
static void m2050_reads_segments_with_these_efficiencies(void **state)
{
    (void)state;
    check_m2050("n=1048576 block=512 offset=0", 99.66, 100);
    check_m2050("n=1048576 block=512 offset=11", 49.65, 80);
    check_m2050("n=1048576 block=512 offset=128", 99.61, 100);
}

static void check_bus_use(const char *kernel, const char *params, const char *cached,
                          const char *uncached)
{
    static const char *const gpus[] = {"m2090 l1_caches_global=1", "m2090 l1_caches_global=0"};
    struct counters c[2];
    published_run_gpus(gpus, 2, kernel, params, c);
    assert_int_equal(c[0].global_load_requests, 1);
    assert_string_equal(published_exact(published_metric(&c[0], "gld_bus_utilization")), cached);
    assert_string_equal(published_exact(published_metric(&c[1], "gld_bus_utilization")), uncached);
}

/* Fermi's documents, restated in Cheng, Grossman and McKercher, chapter 4: one warp's load through
 * L1, and past it. */
static void fermi_uses_the_bus_by_pattern(void **state)
{
    (void)state;
    check_bus_use("misaligned", "n=32 block=32 offset=0", "100", "100");
    check_bus_use("permuted", "n=32 block=32 mask=5", "100", "100");
    check_bus_use("permuted", "n=32 block=32 mask=31", "100", "100");
    check_bus_use("misaligned", "n=32 block=32 offset=1", "50", "80");
    check_bus_use("sameWord", "n=32 block=32", "3.125", "12.5");
}

/* Visual Profiler on a GTX 260: the loads of a struct's members show as 128-byte transactions, two
 * for the 256 bytes that a half-warp's structs take, and those of four arrays as 64-byte ones. */
static void gtx_260_reads_structs_in_128_byte_and_arrays_in_64_byte_transactions(void **state)
{
    (void)state;
    struct counters structs = published_run("gtx260", "sumFourInts", "n=16384");
    struct counters arrays = published_run("gtx260", "sumFourArrays", "n=16384");
    const uint64_t half_warp_loads = 4 * 16384 / 16;
    assert_int_equal(structs.global_load_split_requests, half_warp_loads);
    assert_int_equal(arrays.global_load_split_requests, half_warp_loads);
    ASSERT_SIZES(published_load_sizes(&structs), 0, 0, 2 * half_warp_loads);
    ASSERT_SIZES(published_load_sizes(&arrays), 0, half_warp_loads, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rtx_4070_ti_reads_segments_in_these_sectors),
        cmocka_unit_test(v100_reads_segments_in_these_sectors),
        cmocka_unit_test(reduction_in_global_memory_loads_68_and_stores_33_sectors_a_block),
        cmocka_unit_test(reduction_in_shared_memory_loads_16_and_stores_1_sector_a_block),
        cmocka_unit_test(unrolled_reduction_has_a_quarter_of_the_stores),
        cmocka_unit_test(tegra_x1_copies_and_transposes_with_these_counters),
        cmocka_unit_test(gt_1030_shows_16_transactions_a_load_with_l1_on_or_off),
        cmocka_unit_test(gt_1030_is_80_percent_efficient_off_the_sectors_with_l1_on_or_off),
        cmocka_unit_test(m2050_reads_segments_with_these_efficiencies),
        cmocka_unit_test(fermi_uses_the_bus_by_pattern),
        cmocka_unit_test(gtx_260_reads_structs_in_128_byte_and_arrays_in_64_byte_transactions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
