/* test_shared_matrix.c - descriptors of wgmma: are their fields read, and is every element where the PTX ISA's canonical layouts have it?
 * Places are worked out by hand from its examples of K-major and MN-major layouts.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tracer/matrix/shared_matrix.h"

static uint64_t descriptor(uint64_t start, uint64_t leading, uint64_t stride, uint64_t mode)
{
    return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | mode << 62;
}

static struct shared_matrix made(uint64_t start, uint64_t leading, uint64_t stride, uint64_t mode)
{
    return shared_matrix_read(descriptor(start, leading, stride, mode));
}

static void test_fields(void **state)
{
    (void)state;
    static const uint8_t rows[] = {0, 128, 64, 32};
    for (uint64_t mode = 0; mode < 4; mode++) {
        const struct shared_matrix m =
            shared_matrix_read(descriptor(0x3fff0, 0x1230, 0x23450, mode) | UINT64_C(5) << 49);
        assert_int_equal(m.start, 0x3fff0);
        assert_int_equal(m.leading, 0x1230);
        assert_int_equal(m.stride, 0x23450);
        assert_int_equal(m.base_offset, 5);
        assert_int_equal(m.row, rows[mode]);
    }
    /* What lies between the fields means nothing. */
    const struct shared_matrix m = shared_matrix_read(UINT64_C(0x3ff1c000c000c000));
    assert_int_equal(m.start + m.leading + m.stride + m.base_offset + m.row, 0);
}

static void test_alignment(void **state)
{
    (void)state;
    for (unsigned mode = 1; mode < 4; mode++) {
        const unsigned row = 256U >> mode;
        for (unsigned start = 0; start < 4096; start += 16) {
            const struct shared_matrix m = made(start, 16, 8 * row, mode);
            assert_int_equal(shared_matrix_is_aligned(&m), start % 128 / row == 0);
        }
    }
    const struct shared_matrix plain = made(16, 128, 256, 0);
    assert_true(shared_matrix_is_aligned(&plain));
}

/* Core matrices of 8 rows of 16 bytes: neighbours along k `leading` apart, along the other side `stride`. */
static void test_k_major_plain(void **state)
{
    (void)state;
    const struct shared_matrix m = made(0x400, 2048, 128, 0);
    assert_int_equal(shared_matrix_at(&m, false, 2, 0, 0), 0x400);
    assert_int_equal(shared_matrix_at(&m, false, 2, 3, 7), 0x400 + 3 * 16 + 14);
    assert_int_equal(shared_matrix_at(&m, false, 2, 8, 0), 0x400 + 128);
    assert_int_equal(shared_matrix_at(&m, false, 2, 0, 8), 0x400 + 2048);
    assert_int_equal(shared_matrix_at(&m, false, 4, 9, 5), 0x400 + 128 + 16 + 2048 + 4);
    assert_int_equal(shared_matrix_at(&m, false, 1, 63, 31), 0x400 + 7 * 128 + 7 * 16 + 2048 + 15);
}

/* Units of 16 bytes change places by the address's number of 128 bytes. */
static void test_k_major_swizzled(void **state)
{
    (void)state;
    const struct shared_matrix wide = made(0x800, 16, 1024, 1);
    assert_int_equal(shared_matrix_at(&wide, false, 2, 0, 8), 0x800 + 16);
    assert_int_equal(shared_matrix_at(&wide, false, 2, 1, 0), 0x800 + 128 + 16);
    assert_int_equal(shared_matrix_at(&wide, false, 2, 1, 8), 0x800 + 128);
    assert_int_equal(shared_matrix_at(&wide, false, 2, 7, 0), 0x800 + 7 * 128 + 7 * 16);
    assert_int_equal(shared_matrix_at(&wide, false, 2, 8, 3), 0x800 + 1024 + 6);
    /* The second 32 bytes of its rows. */
    const struct shared_matrix second = made(0x820, 16, 1024, 1);
    assert_int_equal(shared_matrix_at(&second, false, 2, 3, 0), 0x800 + 3 * 128 + (2 ^ 3) * 16);
    const struct shared_matrix middle = made(0x800, 16, 512, 2);
    assert_int_equal(shared_matrix_at(&middle, false, 1, 1, 0), 0x800 + 64);
    assert_int_equal(shared_matrix_at(&middle, false, 1, 2, 0), 0x800 + 128 + 16);
    assert_int_equal(shared_matrix_at(&middle, false, 1, 7, 16), 0x800 + 3 * 128 + 64 + 2 * 16);
    const struct shared_matrix narrow = made(0x800, 16, 256, 3);
    assert_int_equal(shared_matrix_at(&narrow, false, 4, 3, 0), 0x800 + 96);
    assert_int_equal(shared_matrix_at(&narrow, false, 4, 4, 0), 0x800 + 128 + 16);
    assert_int_equal(shared_matrix_at(&narrow, false, 4, 4, 4), 0x800 + 128);
    assert_int_equal(shared_matrix_at(&narrow, false, 4, 8, 0), 0x800 + 256);
}

static void test_mn_major(void **state)
{
    (void)state;
    const struct shared_matrix plain = made(0x1000, 128, 256, 0);
    assert_int_equal(shared_matrix_at(&plain, true, 2, 7, 0), 0x1000 + 14);
    assert_int_equal(shared_matrix_at(&plain, true, 2, 8, 0), 0x1000 + 256);
    assert_int_equal(shared_matrix_at(&plain, true, 2, 0, 7), 0x1000 + 7 * 16);
    assert_int_equal(shared_matrix_at(&plain, true, 2, 9, 8), 0x1000 + 256 + 2 + 128);
    const struct shared_matrix wide = made(0x1000, 4096, 1024, 1);
    assert_int_equal(shared_matrix_at(&wide, true, 2, 9, 0), 0x1000 + 18);
    assert_int_equal(shared_matrix_at(&wide, true, 2, 0, 5), 0x1000 + 5 * 128 + 5 * 16);
    assert_int_equal(shared_matrix_at(&wide, true, 2, 64, 9), 0x1000 + 4096 + 1024 + 128 + 16);
    const struct shared_matrix narrow = made(0x1000, 512, 256, 3);
    assert_int_equal(shared_matrix_at(&narrow, true, 2, 16, 0), 0x1000 + 512);
    assert_int_equal(shared_matrix_at(&narrow, true, 2, 8, 4), 0x1000 + 128);
    assert_int_equal(shared_matrix_at(&narrow, true, 2, 0, 8), 0x1000 + 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_k_major_plain), cmocka_unit_test(test_k_major_swizzled),
        cmocka_unit_test(test_mn_major),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
