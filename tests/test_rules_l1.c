/* test_rules_l1.c - do the L1's tag and data stages count the wavefronts that were measured?
 *
 * Every expected value is worked out by hand from the rule's text, except where a measurement is
 * named.
 */
#include "rules_access.h"
#include "sim/rules/l1stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The code of each bit of a line number, as measured on H200. */
static void tag_bank_is_a_sum_of_bit_codes(void **state)
{
    (void)state;
    static const uint8_t code[] = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1,
                                   3, 1, 3, 2, 1, 3, 1, 3, 2, 3, 1};
    for (unsigned bit = 0; bit < 23; bit++) {
        assert_int_equal(l1stage_tag_bank(UINT64_C(1) << bit), code[bit]);
        assert_int_equal(l1stage_tag_bank(UINT64_C(1) << bit | 1), code[bit] ^ (bit ? 1 : 0));
    }
    assert_int_equal(l1stage_tag_bank(UINT64_C(0xffffff) << 23), 0);
}

static void check_l1(struct warp_access a, uint32_t tag, uint32_t data)
{
    uint64_t addr[WARP_LANES];
    struct warp_access b = listed(a, addr);
    assert_int_equal(l1stage_count(&a).tag, tag);
    assert_int_equal(l1stage_count(&a).data, data);
    assert_int_equal(l1stage_count(&b).tag, tag);
    assert_int_equal(l1stage_count(&b).data, data);
}

/* Any four lines from a multiple of four on lie in four banks. A stride of 32 words puts 32 such
 * lines into 8 wavefronts, each with four words in one data bank: 32 passes, as measured on H200. A
 * stride of 33 words takes the same lines with all words in banks of their own. */
static void strided_loads_pay_for_tag_and_data_banks(void **state)
{
    (void)state;
    check_l1(affine(4, 0, 4), 1, 1);
    check_l1(affine(4, 4, 0), 1, 1);
    check_l1(affine(4, 0, 128), 8, 32);
    check_l1(affine(4, 0, 132), 8, 8);
    check_l1(affine(4, 128, 128), 9, 32); /* lines 1 to 32: bank 1 has nine */
    check_l1(affine(4, 0, 8), 1, 2);
    struct warp_access a = affine(4, 0, 5 * 128); /* lines 0 and 5 share bank 0 */
    a.active = 3;
    check_l1(a, 2, 2);
    a.active = 1;
    check_l1(a, 1, 1);
}

/* Lines 7 and 8 share tag bank 2, so that what straddles them goes in two wavefronts. */
static void wide_and_straddling_loads_take_more_data_passes(void **state)
{
    (void)state;
    check_l1(affine(8, 0, 8), 1, 2);
    check_l1(affine(16, 0, 16), 1, 4);
    check_l1(affine(4, 64, 4), 1, 1);
    check_l1(affine(4, 7 * 128 + 64, 4), 2, 2);
    check_l1(affine(8, 7 * 128 + 64, 8), 2, 4);
    check_l1(affine(8, 0, 0), 1, 2);
    check_l1(affine(16, 0, 0), 1, 4);
}

static struct warp_access store(struct warp_access a)
{
    a.op = OP_STORE;
    return a;
}

/* 8 tag wavefronts of 4 lines. Words of 4 bytes have 8 places and go at once, narrow ones have 4: a
 * batch of 4, then one wavefront after another. On one data bank the batch takes 16 passes and makes
 * 7 again. */
static void stores_pass_in_batches(void **state)
{
    (void)state;
    check_l1(store(affine(4, 0, 4)), 1, 1);
    check_l1(store(affine(4, 0, 132)), 8, 1);
    check_l1(store(affine(1, 0, 132)), 8, 5);
    check_l1(store(affine(4, 0, 128)), 8, 32);
    check_l1(store(affine(1, 0, 128)), 8, 16 + 7 + 16);
    struct warp_access a = store(affine(1, 0, 132));
    a.active = 0xffff;
    check_l1(a, 4, 1);
    a = store(affine(1, 0, 5 * 128)); /* lines 0 and 5 share bank 0 */
    a.active = 3;
    check_l1(a, 2, 2);
}

/* Of one round, in one tag wavefront, all lanes count that want one data bank, and lanes on one
 * address make rounds. */
static void atomics_pass_lane_by_lane(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 0, 0), b = listed(affine(4, 0, 4), addr);
    assert_int_equal(l1stage_atomic_passes(&b), 1);
    assert_int_equal(l1stage_atomic_passes(&a), 32);
    a.active = 0xff;
    assert_int_equal(l1stage_atomic_passes(&a), 8);
    a = affine(4, 0, 128); /* 8 wavefronts of 4 words in one data bank */
    assert_int_equal(l1stage_atomic_passes(&a), 32);
    a = affine(4, 0, 132);
    assert_int_equal(l1stage_atomic_passes(&a), 8);
    a = affine(8, 0, 8);
    assert_int_equal(l1stage_atomic_passes(&a), 2);
    addr[31] = 0; /* lane 0's: a second round */
    assert_int_equal(l1stage_atomic_passes(&b), 2);
}

static void affine_and_listed_accesses_agree(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    for (uint8_t width = 1; width <= 16; width = (uint8_t)(width * 2)) {
        for (unsigned i = 0; i < AFFINE_VARIANTS; i++) {
            struct warp_access a = affine_variant(width, i), b = listed(a, addr);
            struct l1_wavefronts want = l1stage_count(&b);
            check_l1(a, want.tag, want.data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tag_bank_is_a_sum_of_bit_codes),
        cmocka_unit_test(strided_loads_pay_for_tag_and_data_banks),
        cmocka_unit_test(wide_and_straddling_loads_take_more_data_passes),
        cmocka_unit_test(stores_pass_in_batches),
        cmocka_unit_test(atomics_pass_lane_by_lane),
        cmocka_unit_test(affine_and_listed_accesses_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
