/* test_published_banks.c - do the gallery's kernels give the shared memory figures that profilers
 * showed on real GPUs, to the last digit that was printed?
 *
 * The tiles are those of Cheng, Grossman and McKercher, "Professional CUDA C Programming" (2014),
 * chapter 5, run again by others on later GPUs.
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_wavefronts(const char *kernel, const char *loads, const char *stores)
{
    struct counters c = published_run("rtx4070ti", kernel, "");
    const char *load_name = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const char *store_name = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    double value = published_profiler(&c, PROFILER_NCU, load_name);
    assert_string_equal(published_exact(value), loads);
    value = published_profiler(&c, PROFILER_NCU, store_name);
    assert_string_equal(published_exact(value), stores);
}

/* Nsight Compute on an RTX 4070 Ti: one block, a tile of 32 x 32 ints. */
static void rtx_4070_ti_takes_these_wavefronts_through_a_tile(void **state)
{
    (void)state;
    check_wavefronts("setRowReadRow", "32", "32");
    check_wavefronts("setColReadCol", "1024", "1024");
    check_wavefronts("setRowReadCol", "1024", "32");
    check_wavefronts("setRowReadColPad", "32", "32");
}

static void check_per_request(const char *kernel, const char *loads, const char *stores)
{
    struct counters c = published_run("tegra-x1", kernel, "nx=1024 ny=1024");
    double value = published_profiler(&c, PROFILER_N5, "shared_load_transactions_per_request");
    assert_string_equal(published_exact(value), loads);
    value = published_profiler(&c, PROFILER_N5, "shared_store_transactions_per_request");
    assert_string_equal(published_exact(value), stores);
}

/* nvprof on a Tegra X1: tiles [16][16] and [16][18] in blocks of 16 x 16. */
static void tegra_x1_transposes_through_tiles_with_these_transactions(void **state)
{
    (void)state;
    check_per_request("transposeSmem", "8", "1");
    check_per_request("transposeSmemPad", "1", "2");
}

/* A tile [16][17] on 32 banks: two rows overlap in one bank, and so do two columns. */
static void one_word_of_padding_is_not_enough_for_16_rows_on_32_banks(void **state)
{
    (void)state;
    struct counters c = published_run("tegra-x1", "transpose", "width=256 height=256");
    assert_string_equal(published_exact(published_metric(&c, "shared_load_passes_per_request")),
                        "2");
    assert_string_equal(published_exact(published_metric(&c, "shared_store_passes_per_request")),
                        "2");
}

/* NVIDIA's developer forum, on Nsight Compute's counter of bank conflicts: shm[idx * 4] of ints
 * read by 2 blocks of 32 threads is 6 conflicts, 3 for each warp. */
static void two_warps_at_stride_4_have_6_bank_conflicts(void **state)
{
    (void)state;
    static const char *const gpus[] = {"v100", "rtx2080ti", "a100", "rtx4070ti", "h200"};
    struct counters c[5];
    published_run_gpus(gpus, 5, "sharedStride4", "blocks=2", c);
    for (size_t i = 0; i < 5; i++) {
        const char *name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
        assert_string_equal(published_exact(published_profiler(&c[i], PROFILER_NCU, name)), "6");
        assert_int_equal(c[i].shared_store_conflicts, 0);
    }
}

/* Fermi, Kepler with its banks 4 bytes wide, Maxwell, Pascal, Volta. */
static const char *const warp_gpus[] = {"m2090", "k40", "gtx980", "gtx1080ti", "v100"};
enum { WARP_GPUS = sizeof warp_gpus / sizeof warp_gpus[0] };

/* Passes that each load of a kernel takes, on Kepler and on the others. */
static void check_load_ways(const char *kernel, const char *params, uint64_t kepler, uint64_t other)
{
    struct counters c[WARP_GPUS];
    published_run_gpus(warp_gpus, WARP_GPUS, kernel, params, c);
    for (size_t i = 0; i < WARP_GPUS; i++) {
        assert_int_equal(c[i].shared_load_passes,
                         (i == 1 ? kepler : other) * c[i].shared_load_requests);
        assert_int_equal(c[i].shared_store_conflicts, 0);
    }
}

/* Cheng, Grossman and McKercher, chapter 5. Kepler delivers words i and i + 32 of 64 together. */
static void columns_of_a_square_conflict_in_32_ways_and_in_16_on_kepler(void **state)
{
    (void)state;
    check_load_ways("setRowReadCol", "", 16, 32);
    check_load_ways("setRowReadColPad", "", 1, 1);
}

/* The same chapter: 16 rows of 32 words, so that a warp reads two columns; two words of padding are
 * needed to clear it. */
static void columns_of_a_rectangle_conflict_in_16_ways_and_in_8_on_kepler(void **state)
{
    (void)state;
    check_load_ways("setRowReadColRect", "pad=0", 8, 16);
    check_load_ways("setRowReadColRect", "pad=1", 2, 2);
    check_load_ways("setRowReadColRect", "pad=2", 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rtx_4070_ti_takes_these_wavefronts_through_a_tile),
        cmocka_unit_test(tegra_x1_transposes_through_tiles_with_these_transactions),
        cmocka_unit_test(one_word_of_padding_is_not_enough_for_16_rows_on_32_banks),
        cmocka_unit_test(two_warps_at_stride_4_have_6_bank_conflicts),
        cmocka_unit_test(columns_of_a_square_conflict_in_32_ways_and_in_16_on_kepler),
        cmocka_unit_test(columns_of_a_rectangle_conflict_in_16_ways_and_in_8_on_kepler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
