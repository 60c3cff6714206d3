/* test_rules_shared.c - do the rules for shared and constant memory give the published figures to
 * the digit?
 *
 * Every expected value is worked out by hand from the rule's text or taken from the source named
 * beside it (PG = CUDA C Programming Guide).
 */
#include "rules_access.h"
#include "models/arch.h"
#include "sim/rules/banks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(enum bank_rule rule, struct warp_access a, uint32_t passes, uint32_t ideal)
{
    uint64_t addr[WARP_LANES];
    struct warp_access b = listed(a, addr);
    assert_int_equal(banks_count(rule, &a).passes, passes);
    assert_int_equal(banks_count(rule, &a).ideal, ideal);
    assert_int_equal(banks_count(rule, &b).passes, passes);
    assert_int_equal(banks_count(rule, &b).ideal, ideal);
}

/* 4-byte words whose ideal is one pass on 32 banks: sm_2x, both modes of sm_3x, sm_50 on. */
static void check_banks_32(struct warp_access a, uint32_t fermi, uint32_t kepler_4,
                           uint32_t kepler_8, uint32_t later)
{
    check(BANKS_FERMI_32, a, fermi, 1);
    check(BANKS_KEPLER_4, a, kepler_4, 1);
    check(BANKS_KEPLER_8, a, kepler_8, 1);
    check(BANKS_GROUPED_32, a, later, 1);
    check(BANKS_PAIRED_32, a, later, 1);
}

/* One column of int [32][columns], read by a warp. */
static struct warp_access column_of(uint32_t columns)
{
    return affine(4, 0, 4 * (int64_t)columns);
}

/* Two columns of int [16][columns], read by a 16 x 16 block's warp: lane t at row t mod 16. */
static struct warp_access two_columns_of(uint32_t columns, uint64_t addr[WARP_LANES])
{
    struct warp_access a = affine(4, 0, 0);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 4 * (lane % 16 * columns + lane / 16);
    a.addr = addr;
    return a;
}

/* Two rows of the same array: lane t at column t mod 16. */
static struct warp_access two_rows_of(uint32_t columns, uint64_t addr[WARP_LANES])
{
    struct warp_access a = affine(4, 0, 0);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 4 * (lane / 16 * columns + lane % 16);
    a.addr = addr;
    return a;
}

static void square_tiles_conflict_by_column_unless_padded(void **state)
{
    (void)state;
    check_banks_32(column_of(32), 32, 16, 16, 32);
    check_banks_32(column_of(33), 1, 1, 1, 1);
}

/* int [16][32] read by columns, 16 rows of two columns a warp; one and two words of padding. */
static void rectangular_tiles_need_two_words_of_padding(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    check_banks_32(two_columns_of(32, addr), 16, 8, 8, 16);
    check(BANKS_PAIRED_32, two_columns_of(33, addr), 2, 1);
    check(BANKS_PAIRED_32, two_columns_of(34, addr), 1, 1);
}

/* nvprof on Tegra X1 gives 8.0 and 1.0 transactions a request for [16][16], 1.0 and 2.0 for
 * [16][18] (columns loaded, rows stored). */
static void tiles_of_16_trade_load_for_store_conflicts(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    static const struct {
        uint32_t columns, load, store;
    } tiles[] = {{16, 8, 1}, {17, 2, 2}, {18, 1, 2}};
    for (size_t i = 0; i < 3; i++) {
        struct warp_access a = two_columns_of(tiles[i].columns, addr);
        check(BANKS_GROUPED_32, a, tiles[i].load, 1);
        a = two_rows_of(tiles[i].columns, addr);
        a.op = OP_STORE;
        check(BANKS_GROUPED_32, a, tiles[i].store, 1);
    }
}

/* PG 5.5 G.5.3: sm_3x reads words i and i + 32 of one 64-word segment, or any 8 bytes, at once. */
static void float_stride_2_conflicts_but_not_on_kepler(void **state)
{
    (void)state;
    check_banks_32(affine(4, 0, 8), 2, 1, 1, 2);
    struct warp_access a = affine(4, 0, 128); /* words 0 and 32 */
    a.active = 3;
    check_banks_32(a, 2, 1, 1, 2);
    a.base = 128; /* words 32 and 64: two segments, and banks 16 and 0 of 8 bytes */
    check_banks_32(a, 2, 2, 1, 2);
    a.stride = 256; /* words 32 and 96 */
    check_banks_32(a, 2, 2, 2, 2);
    a.stride = 4; /* words 32 and 33 */
    check_banks_32(a, 1, 1, 1, 1);
}

/* PG 3.2 G.3.3: a step is one broadcast word and one lane of every other bank; char is 4-way, short
 * 2-way, double 2-way in each of its two parts. */
static void words_of_other_sizes_conflict_on_sm_1x_only(void **state)
{
    (void)state;
    static const uint8_t widths[] = {1, 2, 4};
    for (size_t i = 0; i < 3; i++)
        check_banks_32(affine(widths[i], 0, widths[i]), 1, 1, 1, 1);
    check(BANKS_HALF_WARP_16, affine(1, 0, 1), 2 * 4, 2);
    check(BANKS_HALF_WARP_16, affine(2, 0, 2), 2 * 2, 2);
    check(BANKS_HALF_WARP_16, affine(4, 0, 4), 2, 2);
    check(BANKS_HALF_WARP_16, affine(8, 0, 8), 2 * 2 * 2, 4);
    check(BANKS_HALF_WARP_16, affine(16, 0, 16), 2 * 4 * 4, 8);
}

static void doubles_in_a_row_do_not_conflict_from_fermi_on(void **state)
{
    (void)state;
    check(BANKS_FERMI_32, affine(8, 0, 8), 2, 2);
    check(BANKS_KEPLER_4, affine(8, 0, 8), 1, 1);
    check(BANKS_KEPLER_8, affine(8, 0, 8), 1, 1);
    check(BANKS_GROUPED_32, affine(8, 0, 8), 2, 2);
    check(BANKS_PAIRED_32, affine(8, 0, 8), 2, 2);
}

/* PG 5.5 G.4.3: most 16-byte accesses of sm_2x are 2-way conflicts in each quarter-warp. */
static void words_of_16_bytes_take_an_extra_pass_on_fermi(void **state)
{
    (void)state;
    check(BANKS_FERMI_32, affine(16, 0, 16), 8, 4);
    check(BANKS_KEPLER_4, affine(16, 0, 16), 2, 2);
    check(BANKS_KEPLER_8, affine(16, 0, 16), 2, 2);
    check(BANKS_GROUPED_32, affine(16, 0, 16), 4, 4);
    struct warp_access a = affine(16, 0, 16);
    a.active = 0x00ff0001; /* two quarter-warps */
    check(BANKS_FERMI_32, a, 4, 2);
    check(BANKS_PAIRED_32, a, 2, 2);
}

static void sm_1x_stride_conflicts_are_the_gcd_with_16(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 32; stride++) {
        uint32_t ways = 16;
        while (stride % ways != 0)
            ways /= 2;
        check(BANKS_HALF_WARP_16, affine(4, 0, 4 * (int64_t)stride), 2 * ways, 2);
    }
}

/* PG 3.2 G.3.3: members of 12-byte structs are free of conflicts, those of 8-byte structs 2-way. In
 * banks of 8 bytes, 12-byte structs meet again after 256 bytes (words 2, 5 and 68 of member 2 lie
 * in 8-byte words 1, 2 and 34). */
static void struct_members_conflict_by_their_stride(void **state)
{
    (void)state;
    for (uint64_t member = 0; member < 3; member++)
        check(BANKS_HALF_WARP_16, affine(4, 4 * member, 12), 2, 2);
    check(BANKS_HALF_WARP_16, affine(4, 0, 8), 4, 2);
    check(BANKS_HALF_WARP_16, affine(4, 4, 8), 4, 2);
    check_banks_32(affine(4, 8, 12), 1, 1, 2, 1);
}

static void one_word_is_broadcast(void **state)
{
    (void)state;
    check_banks_32(affine(4, 64, 0), 1, 1, 1, 1);
    check(BANKS_HALF_WARP_16, affine(4, 64, 0), 2, 2);
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 0, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = lane % 2 * 64; /* words 0 and 16 of bank 0: each broadcast in a step */
    a.addr = addr;
    check(BANKS_HALF_WARP_16, a, 4, 2);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = lane % 2 * 4; /* word 1 is one lane's in the step that broadcasts word 0 */
    check(BANKS_HALF_WARP_16, a, 4, 2);
    a.active = 0x00070000; /* words 0, 1, 0: the lane of word 1 rides along */
    check(BANKS_HALF_WARP_16, a, 1, 1);
}

/* shm[4 * t] of ints: 3 conflicts a warp, 6 in the two warps of the published launch. */
static void int_stride_4_makes_three_conflicts_on_volta(void **state)
{
    (void)state;
    struct warp_access a = affine(4, 0, 16);
    struct bank_passes got = banks_count(BANKS_PAIRED_32, &a);
    assert_int_equal(got.passes - got.ideal, 3);
    check(BANKS_PAIRED_32, a, 4, 1);
}

/* Lane t on the word of lane t with some bits of its number cleared. */
static struct warp_access sharing(uint8_t width, uint32_t cleared, uint64_t addr[WARP_LANES])
{
    struct warp_access a = affine(width, 0, 0);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = (lane & ~cleared) * width;
    a.addr = addr;
    return a;
}

/* Measured on H200. Two lanes on each word leave half the words: 8-byte words span 256 bytes then,
 * with every second pair of banks idle. */
static void wide_loads_of_paired_lanes_merge_groups(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    for (uint32_t apart = 1; apart <= 2; apart++) {
        check(BANKS_PAIRED_32, sharing(8, apart, addr), 2, 1);
        check(BANKS_GROUPED_32, sharing(8, apart, addr), 2, 2);
        check(BANKS_PAIRED_32, sharing(16, apart, addr), 4, 2);
        check(BANKS_GROUPED_32, sharing(16, apart, addr), 4, 4);
    }
    check(BANKS_PAIRED_32, sharing(8, 31, addr), 1, 1);
    check(BANKS_PAIRED_32, sharing(8, 4, addr), 2, 2); /* partners t ^ 4 do not count */
    struct warp_access a = affine(8, 0, 8);
    a.active = 0x55555555; /* every partner t ^ 1 is inactive */
    check(BANKS_PAIRED_32, a, 2, 1);
    check(BANKS_GROUPED_32, a, 2, 2);
}

static void one_unlike_pair_in_the_warp_prevents_merging(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = sharing(16, 1, addr);
    addr[31] += 16;
    check(BANKS_PAIRED_32, a, 4, 4);
}

static void stores_never_merge_groups(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = sharing(8, 1, addr);
    a.op = OP_STORE;
    check(BANKS_PAIRED_32, a, 2, 2);
    a = sharing(16, 2, addr);
    a.op = OP_STORE;
    check(BANKS_PAIRED_32, a, 4, 4);
}

static void check_atomic(enum bank_rule rule, struct warp_access a, uint32_t passes, uint32_t ideal)
{
    struct bank_passes got = banks_count_atomic(rule, &a);
    assert_int_equal(got.passes, passes);
    assert_int_equal(got.ideal, ideal);
}

/* Measured on H200: lanes count, whether they want one word of a bank or several. */
static void atomics_serve_one_lane_a_bank(void **state)
{
    (void)state;
    check_atomic(BANKS_PAIRED_32, affine(4, 0, 4), 1, 1);
    check_atomic(BANKS_PAIRED_32, affine(4, 0, 0), 32, 1);
    check_atomic(BANKS_PAIRED_32, affine(4, 0, 128), 32, 1);
    check_atomic(BANKS_PAIRED_32, affine(4, 0, 8), 2, 1);
    check_atomic(BANKS_PAIRED_32, affine(8, 0, 8), 2, 2);
    check_atomic(BANKS_HALF_WARP_16, affine(4, 0, 4), 2, 2);
    check_atomic(BANKS_HALF_WARP_16, affine(4, 0, 0), 32, 2);
}

static uint32_t passes_on(int64_t sm, struct warp_access a)
{
    struct rule_set rules;
    const struct arch arch = {.sm = sm, .shared_bank_bytes = 4};
    assert_true(rules_for(&arch, &rules));
    return banks_count_shared(&rules, &a).passes;
}

/* ATOMS.POPC.INC, which nvcc makes for sm_80 and later: a word counts once, whatever lanes want it. */
static void increments_serve_words_from_sm_80_on(void **state)
{
    (void)state;
    struct warp_access same = affine(4, 0, 0), column = affine(4, 0, 128), pairs = affine(4, 0, 8);
    same.op = column.op = pairs.op = OP_ATOMIC;
    assert_int_equal(passes_on(90, same), 32);
    same.flags = column.flags = pairs.flags = ACCESS_INCREMENT;
    assert_int_equal(passes_on(75, same), 32);
    assert_int_equal(passes_on(80, same), 1);
    assert_int_equal(passes_on(89, same), 1);
    assert_int_equal(passes_on(90, same), 1);
    assert_int_equal(passes_on(90, column), 32);
    assert_int_equal(passes_on(90, pairs), 2);
    uint64_t addr[WARP_LANES];
    struct warp_access mixed = listed(same, addr);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = lane < 20 ? 12 : 128 * lane + 4; /* one word of bank 3; 12 words of bank 1 */
    assert_int_equal(passes_on(90, mixed), 12);
    mixed.flags = 0;
    assert_int_equal(passes_on(90, mixed), 20);
}

static void constant_memory_serves_one_address_a_pass(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 16, 0), b = sharing(4, 7, addr);
    assert_int_equal(banks_constant_passes(&a, false), 1);
    assert_int_equal(banks_constant_passes(&a, true), 2);
    assert_int_equal(banks_constant_passes(&b, false), 4);
    assert_int_equal(banks_constant_passes(&b, true), 4);
    b.active = 0x000000ff;
    assert_int_equal(banks_constant_passes(&b, true), 1);
    a.stride = 4;
    assert_int_equal(banks_constant_passes(&a, false), 32);
}

static void check_affine_like_listed(struct warp_access a)
{
    uint64_t addr[WARP_LANES];
    struct warp_access b = listed(a, addr);
    assert_int_equal(banks_constant_passes(&a, true), banks_constant_passes(&b, true));
    for (unsigned rule = 0; rule < BANK_RULE_COUNT; rule++) {
        struct bank_passes want = banks_count((enum bank_rule)rule, &b);
        check((enum bank_rule)rule, a, want.passes, want.ideal);
        want = banks_count_atomic((enum bank_rule)rule, &b);
        check_atomic((enum bank_rule)rule, a, want.passes, want.ideal);
    }
}

static void affine_and_listed_accesses_agree(void **state)
{
    (void)state;
    for (uint8_t width = 1; width <= 16; width = (uint8_t)(width * 2))
        for (unsigned i = 0; i < AFFINE_VARIANTS; i++)
            check_affine_like_listed(affine_variant(width, i));
}

static void bank_of_an_address(void **state)
{
    (void)state;
    assert_int_equal(banks_count_of(BANKS_HALF_WARP_16), 16);
    assert_int_equal(banks_count_of(BANKS_KEPLER_8), 32);
    assert_int_equal(banks_count_of(BANKS_PAIRED_32), 32);
    assert_int_equal(banks_bank_of(BANKS_HALF_WARP_16, 64 + 7), 1);
    assert_int_equal(banks_bank_of(BANKS_KEPLER_4, 128 + 12), 3);
    assert_int_equal(banks_bank_of(BANKS_KEPLER_8, 256 + 12), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_tiles_conflict_by_column_unless_padded),
        cmocka_unit_test(rectangular_tiles_need_two_words_of_padding),
        cmocka_unit_test(tiles_of_16_trade_load_for_store_conflicts),
        cmocka_unit_test(float_stride_2_conflicts_but_not_on_kepler),
        cmocka_unit_test(words_of_other_sizes_conflict_on_sm_1x_only),
        cmocka_unit_test(doubles_in_a_row_do_not_conflict_from_fermi_on),
        cmocka_unit_test(words_of_16_bytes_take_an_extra_pass_on_fermi),
        cmocka_unit_test(sm_1x_stride_conflicts_are_the_gcd_with_16),
        cmocka_unit_test(struct_members_conflict_by_their_stride),
        cmocka_unit_test(one_word_is_broadcast),
        cmocka_unit_test(int_stride_4_makes_three_conflicts_on_volta),
        cmocka_unit_test(wide_loads_of_paired_lanes_merge_groups),
        cmocka_unit_test(one_unlike_pair_in_the_warp_prevents_merging),
        cmocka_unit_test(stores_never_merge_groups),
        cmocka_unit_test(atomics_serve_one_lane_a_bank),
        cmocka_unit_test(increments_serve_words_from_sm_80_on),
        cmocka_unit_test(constant_memory_serves_one_address_a_pass),
        cmocka_unit_test(affine_and_listed_accesses_agree),
        cmocka_unit_test(bank_of_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
