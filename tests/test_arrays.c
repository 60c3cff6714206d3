/* test_arrays.c - where the bytes of a CUDA array lie, worked out by hand from the layout of docs/model.md, 5.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tracer/runtime/arrays.h"
#include "tracer/tracer.h"

static cudaArray_t made(size_t width, size_t height, size_t depth, unsigned flags)
{
    const struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaArray_t array;
    assert_int_equal(
        wl_malloc_array(&array, &bytes, (struct cudaExtent){width, height, depth}, flags, "&a"),
        cudaSuccess);
    return array;
}

static long offset(cudaArray_const_t array, size_t x, size_t y, size_t z)
{
    return (long)(array_at(array, x, y, z) - array->bytes);
}

static void a_sector_is_16_bytes_of_2_rows(void **state)
{
    (void)state;
    cudaArray_t a = made(64, 8, 0, 0);
    assert_int_equal(offset(a, 15, 0, 0), 15);
    assert_int_equal(offset(a, 0, 1, 0), 16);
    assert_int_equal(offset(a, 16, 0, 0), 32);
    assert_int_equal(offset(a, 0, 2, 0), 64);
    assert_int_equal(offset(a, 32, 0, 0), 256);
    assert_int_equal(offset(a, 63, 7, 0), 511);
}

static void gobs_make_blocks_and_blocks_rows(void **state)
{
    (void)state;
    cudaArray_t a =
        made(130, 300, 0, 0); /* 3 blocks across, of 16 GOBs: 128 rows; 3 rows of them */
    assert_int_equal(offset(a, 0, 8, 0), 512);
    assert_int_equal(offset(a, 64, 0, 0), 16 * 512);
    assert_int_equal(offset(a, 129, 127, 0), 2 * 16 * 512 + 15 * 512 + 3 * 64 + 16 + 1);
    assert_int_equal(offset(a, 0, 128, 0), 3 * 16 * 512);
    assert_int_equal(a->slice_bytes, 9 * 16 * 512);
}

static void a_block_has_no_more_gobs_than_the_array_has_rows_for(void **state)
{
    (void)state;
    static const unsigned rows[][2] = {{1, 1},  {8, 1},   {9, 2},   {17, 4},
                                       {33, 8}, {65, 16}, {999, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(made(4, rows[i][0], 0, 0)->block_gobs, rows[i][1]);
}

static void slices_and_layers_follow_each_other(void **state)
{
    (void)state;
    cudaArray_t deep = made(64, 16, 3, 0), line = made(700, 0, 0, 0);
    cudaArray_t layers = made(700, 0, 2, cudaArrayLayered);
    assert_int_equal(offset(deep, 0, 0, 2), 2 * 2 * 512);
    assert_int_equal(offset(line, 699, 0, 0), 699);
    assert_int_equal(offset(layers, 5, 0, 1), 1024 + 5);
}

/* No two bytes share a place, and none lies outside. */
static void every_byte_has_a_place_of_its_own(void **state)
{
    (void)state;
    static uint8_t taken[64 * 1024];
    cudaArray_t a = made(100, 50, 2, 0);
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 50; y++)
            for (size_t x = 0; x < 100; x++) {
                const long at = offset(a, x, y, z);
                assert_in_range(at, 0, 2 * a->slice_bytes - 1);
                assert_int_equal(taken[at]++, 0);
            }
}

static int start(void **state)
{
    static const struct trace_sink sink;
    (void)state;
    tracer_start(&sink);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sector_is_16_bytes_of_2_rows),
        cmocka_unit_test(gobs_make_blocks_and_blocks_rows),
        cmocka_unit_test(a_block_has_no_more_gobs_than_the_array_has_rows_for),
        cmocka_unit_test(slices_and_layers_follow_each_other),
        cmocka_unit_test(every_byte_has_a_place_of_its_own),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
