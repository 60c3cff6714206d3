/* test_book_coalescing.c - do the gallery's kernels coalesce on sm_1x as a textbook chapter of that
 * time says?
 *
 * The chapter is the one on optimisation in a Chinese book on CUDA of about 2009; section and
 * figure numbers are its own. Its GPUs are a Quadro FX 5600 (sm_10) and a GeForce GTX 280 (sm_13);
 * all counts are transactions of half-warps. Expectations are worked out from its sentences,
 * without the rules' code.
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

static const char *const gpus[] = {"fx5600", "gtx280"};
enum { FX_5600, GTX_280, GPUS };

/* 4.4.2.1, figure 4-4. */
static void an_idle_lane_leaves_one_transaction_of_64_bytes(void **state)
{
    (void)state;
    struct counters c[GPUS];
    published_run_gpus(gpus, GPUS, "halfWarpGap", "n=4096", c);
    for (int i = 0; i < GPUS; i++) {
        ASSERT_SIZES(published_load_sizes(&c[i]), 0, 4096 / 16, 0);
        ASSERT_SIZES(published_store_sizes(&c[i]), 0, 4096 / 16, 0);
    }
}

/* 4.4.2.1: 16 serial transfers on 1.0 and 1.1, still one of 64 bytes on 1.2 and later. */
static void crossed_lanes_cost_16_transactions_on_sm_10_alone(void **state)
{
    (void)state;
    struct counters c[GPUS];
    published_run_gpus(gpus, GPUS, "halfWarpCrossed", "n=4096", c);
    ASSERT_SIZES(published_load_sizes(&c[FX_5600]), 16 * 4096 / 16, 0, 0);
    ASSERT_SIZES(published_load_sizes(&c[GTX_280]), 0, 4096 / 16, 0);
}

/* 4.4.2.2, figure 4-5. */
static void unaligned_words_of_one_segment_are_one_transaction_of_128_bytes(void **state)
{
    (void)state;
    struct counters c[GPUS];
    published_run_gpus(gpus, GPUS, "halfWarpUnaligned", "n=4096 offset=1", c);
    ASSERT_SIZES(published_load_sizes(&c[FX_5600]), 16 * 4096 / 16, 0, 0);
    ASSERT_SIZES(published_load_sizes(&c[GTX_280]), 0, 0, 4096 / 16);
}

/* 4.4.2.2, figure 4-6: one of 64 bytes and one of 32. */
static void words_across_two_segments_are_two_transactions(void **state)
{
    (void)state;
    struct counters c[GPUS];
    published_run_gpus(gpus, GPUS, "halfWarpTwoSegments", "n=4096 offset=17", c);
    ASSERT_SIZES(published_load_sizes(&c[FX_5600]), 16 * 4096 / 16, 0, 0);
    ASSERT_SIZES(published_load_sizes(&c[GTX_280]), 4096 / 16, 4096 / 16, 0);
}

/* 4.4.2.3 on the FX 5600: one transfer at offsets 0 and 16, else one of 32 bytes for every lane. */
static struct published_sizes fx_5600_in_the_text(unsigned offset)
{
    return offset % 16 == 0 ? (struct published_sizes){.of_64 = 1}
                            : (struct published_sizes){.of_32 = 16};
}

/* 4.4.2.3 on the GTX 280. The text gives offsets 0 to 16 for even and odd IDs (of "warps", where
 * its figures show half-warps) and starts the next 16 with figure 4-6, that is with an even ID that
 * behaves as the odd ones did: 16 words further on, even and odd change places. */
static struct published_sizes gtx_280_in_the_text(unsigned offset, unsigned half_warp)
{
    bool odd = (half_warp + offset / 16) % 2 == 1;
    if (offset % 16 == 0)
        return (struct published_sizes){.of_64 = 1};
    if (!odd)
        return (struct published_sizes){.of_128 = 1};
    if (offset % 16 == 8)
        return (struct published_sizes){.of_32 = 2};
    return (struct published_sizes){.of_32 = 1, .of_64 = 1};
}

static void check_sizes(const struct counters *c, struct published_sizes want)
{
    ASSERT_SIZES(published_load_sizes(c), want.of_32, want.of_64, want.of_128);
    ASSERT_SIZES(published_store_sizes(c), want.of_32, want.of_64, want.of_128);
}

static void check_offset(unsigned offset)
{
    char params[48];
    struct counters c[GPUS];
    struct published_sizes fx = fx_5600_in_the_text(offset), gtx = {0, 0, 0};
    snprintf(params, sizeof params, "n=1024 block=256 offset=%u", offset);
    published_run_gpus(gpus, GPUS, "offsetCopy", params, c);
    for (unsigned half_warp = 0; half_warp < 1024 / 16; half_warp++) {
        struct published_sizes one = gtx_280_in_the_text(offset, half_warp);
        gtx.of_32 += one.of_32;
        gtx.of_64 += one.of_64;
        gtx.of_128 += one.of_128;
    }
    fx.of_32 *= 1024 / 16;
    fx.of_64 *= 1024 / 16;
    check_sizes(&c[FX_5600], fx);
    check_sizes(&c[GTX_280], gtx);
}

static void offset_copies_take_the_transactions_of_the_text_at_every_offset(void **state)
{
    (void)state;
    for (unsigned offset = 0; offset <= 32; offset++)
        check_offset(offset);
}

/* 4.4.2.3: 4 of 32 bytes are of use, hence an eighth of the bandwidth. */
static void a_shifted_copy_uses_an_eighth_of_what_sm_10_moves(void **state)
{
    (void)state;
    struct counters c = published_run("fx5600", "offsetCopy", "n=1024 offset=1");
    assert_string_equal(published_exact(published_metric(&c, "gld_efficiency")), "12.5");
    assert_string_equal(published_exact(published_metric(&c, "gst_efficiency")), "12.5");
}

/* 4.4.2.4: any stride but 1 makes 16 transfers on the FX 5600. */
static void strided_copies_cost_16_transactions_on_sm_10(void **state)
{
    (void)state;
    struct published_sizes one = {.of_64 = 1024 / 16}, more = {.of_32 = 1024};
    for (unsigned stride = 1; stride <= 32; stride++) {
        char params[32];
        snprintf(params, sizeof params, "n=1024 stride=%u", stride);
        struct counters c = published_run("fx5600", "strideCopy", params);
        check_sizes(&c, stride == 1 ? one : more);
    }
}

/* 4.4.2.4, figure 4-8: stride 2 is one transfer of 128 bytes, half of it dropped; with growing
 * strides every lane comes to have a transfer of its own. */
static void strided_copies_end_at_one_transaction_a_lane_on_sm_13(void **state)
{
    (void)state;
    struct counters c = published_run("gtx280", "strideCopy", "n=1024 stride=2");
    check_sizes(&c, (struct published_sizes){.of_128 = 1024 / 16});
    assert_string_equal(published_exact(published_metric(&c, "gld_efficiency")), "50");
    c = published_run("gtx280", "strideCopy", "n=1024 stride=32");
    check_sizes(&c, (struct published_sizes){.of_32 = 1024});
}

/* 4.7.3.1: a matrix of 256 x 4096 in blocks of 16 x 16; the loads coalesce, each half-warp's store
 * is 16 separate transfers. */
static void a_naive_transpose_stores_16_transactions_a_half_warp(void **state)
{
    (void)state;
    struct counters c[GPUS];
    const uint64_t half_warps = 256 * 4096 / 16;
    published_run_gpus(gpus, GPUS, "transpose_naive", "width=256 height=4096", c);
    for (int i = 0; i < GPUS; i++) {
        ASSERT_SIZES(published_load_sizes(&c[i]), 0, half_warps, 0);
        ASSERT_SIZES(published_store_sizes(&c[i]), 16 * half_warps, 0, 0);
    }
}

/* 4.7.3.2: through the tile all accesses to global memory coalesce. */
static void a_tiled_transpose_loads_and_stores_whole_segments(void **state)
{
    (void)state;
    struct counters c[GPUS];
    const uint64_t half_warps = 256 * 4096 / 16;
    published_run_gpus(gpus, GPUS, "transpose", "width=256 height=4096", c);
    for (int i = 0; i < GPUS; i++) {
        ASSERT_SIZES(published_load_sizes(&c[i]), 0, half_warps, 0);
        ASSERT_SIZES(published_store_sizes(&c[i]), 0, half_warps, 0);
    }
}

/* 4.7.1: each thread by itself reads A once for every column of B and B once for every row of A;
 * tiles of 16 x 16 make it a sixteenth of that. Words loaded by lanes, 4 bytes each. */
static void tiles_cut_the_loads_of_a_matrix_product_to_a_sixteenth(void **state)
{
    (void)state;
    const uint64_t a_words = 80 * 48, b_words = 48 * 128;
    const uint64_t naive_words = a_words * 128 + b_words * 80;
    const char *params = "hA=80 wA=48 wB=128";
    struct counters naive = published_run("gtx280", "MatMulKernel", params);
    struct counters tiled = published_run("gtx280", "matrixMul", params);
    assert_int_equal(naive.global_load_bytes_requested, 4 * naive_words);
    assert_int_equal(tiled.global_load_bytes_requested, 4 * naive_words / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_lane_leaves_one_transaction_of_64_bytes),
        cmocka_unit_test(crossed_lanes_cost_16_transactions_on_sm_10_alone),
        cmocka_unit_test(unaligned_words_of_one_segment_are_one_transaction_of_128_bytes),
        cmocka_unit_test(words_across_two_segments_are_two_transactions),
        cmocka_unit_test(offset_copies_take_the_transactions_of_the_text_at_every_offset),
        cmocka_unit_test(a_shifted_copy_uses_an_eighth_of_what_sm_10_moves),
        cmocka_unit_test(strided_copies_cost_16_transactions_on_sm_10),
        cmocka_unit_test(strided_copies_end_at_one_transaction_a_lane_on_sm_13),
        cmocka_unit_test(a_naive_transpose_stores_16_transactions_a_half_warp),
        cmocka_unit_test(a_tiled_transpose_loads_and_stores_whole_segments),
        cmocka_unit_test(tiles_cut_the_loads_of_a_matrix_product_to_a_sixteenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
