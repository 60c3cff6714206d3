/* test_rules.c - do the rules for global memory give the published figures to the digit?
 *
 * Every expected value is worked out by hand from the rule's text or taken from the source named
 * beside it (PG = CUDA C Programming Guide). Shared and constant memory are in test_rules_shared.c,
 * the stages of the L1 in test_rules_l1.c.
 */
#include "rules_access.h"
#include "sim/rules/coalesce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const enum coalesce_rule sector_rules[] = {COALESCE_SEGMENT_32, COALESCE_SECTOR_GROUPED,
                                                  COALESCE_SECTOR_SPLIT_REQUESTS, COALESCE_SECTOR};

static void assert_same_list(const struct coalesced *got, const struct transaction *want,
                             uint32_t n)
{
    uint32_t bytes = 0;
    assert_int_equal(got->transactions, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(got->list[i].addr, want[i].addr);
        assert_int_equal(got->list[i].bytes, want[i].bytes);
        assert_int_equal(got->list[i].lanes, want[i].lanes);
        bytes += want[i].bytes;
    }
    assert_int_equal(got->bytes_moved, bytes);
}

static void check(enum coalesce_rule rule, struct warp_access a, const struct transaction *want,
                  uint32_t n)
{
    uint64_t addr[WARP_LANES];
    struct warp_access b = listed(a, addr);
    struct coalesced got;
    coalesce(rule, &a, &got);
    assert_same_list(&got, want, n);
    coalesce(rule, &b, &got);
    assert_same_list(&got, want, n);
}

#define CHECK(rule, access, ...)                                                                   \
    do {                                                                                           \
        const struct transaction want_[] = {__VA_ARGS__};                                          \
        check(rule, access, want_, sizeof want_ / sizeof want_[0]);                                \
    } while (0)

static struct coalesced run(enum coalesce_rule rule, struct warp_access a)
{
    struct coalesced out;
    coalesce(rule, &a, &out);
    return out;
}

/* 32 bytes for each lane, in lane order. */
static void check_each_lane(enum coalesce_rule rule, struct warp_access a)
{
    struct transaction want[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        want[lane] = (struct transaction){access_addr(&a, lane) / 32 * 32, 32, 1U << lane};
    check(rule, a, want, WARP_LANES);
}

/* PG 5.5 figure 16, first row. */
static void aligned_words_take_the_fewest_transactions(void **state)
{
    (void)state;
    struct warp_access a = affine(4, 128, 4);
    CHECK(COALESCE_HALF_WARP_STRICT, a, {128, 64, 0x0000ffff}, {192, 64, 0xffff0000});
    CHECK(COALESCE_HALF_WARP_SEGMENT, a, {128, 64, 0x0000ffff}, {192, 64, 0xffff0000});
    CHECK(COALESCE_LINE_128, a, {128, 128, UINT32_MAX});
    CHECK(COALESCE_STORE_124, a, {128, 128, UINT32_MAX});
    for (size_t i = 0; i < 4; i++)
        CHECK(sector_rules[i], a, {128, 32, 0x000000ff}, {160, 32, 0x0000ff00},
              {192, 32, 0x00ff0000}, {224, 32, 0xff000000});
}

/* PG 5.5 figure 16, second row: neighbours swap their words. */
static void order_matters_to_the_strict_rule_alone(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 128, 4);
    a.addr = addr;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 128 + 4 * (lane ^ 1);
    check_each_lane(COALESCE_HALF_WARP_STRICT, a);
    struct coalesced strict = run(COALESCE_HALF_WARP_STRICT, a);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(strict.list[lane].addr, 128 + lane / 8 * 32);
    CHECK(COALESCE_HALF_WARP_SEGMENT, a, {128, 64, 0x0000ffff}, {192, 64, 0xffff0000});
    CHECK(COALESCE_LINE_128, a, {128, 128, UINT32_MAX});
    for (size_t i = 0; i < 4; i++)
        CHECK(sector_rules[i], a, {128, 32, 0x000000ff}, {160, 32, 0x0000ff00},
              {192, 32, 0x00ff0000}, {224, 32, 0xff000000});
}

/* PG 5.5 figure 16, third row; the strict rule's 7 + 8 + 8 + 8 + 1 transactions. */
static void misaligned_words_take_more(void **state)
{
    (void)state;
    struct warp_access a = affine(4, 132, 4);
    static const uint32_t per_segment[] = {7, 8, 8, 8, 1};
    struct coalesced strict = run(COALESCE_HALF_WARP_STRICT, a);
    check_each_lane(COALESCE_HALF_WARP_STRICT, a);
    for (uint32_t segment = 0, i = 0; segment < 5; segment++)
        for (uint32_t k = 0; k < per_segment[segment]; k++)
            assert_int_equal(strict.list[i++].addr, 128 + 32 * segment);
    CHECK(COALESCE_HALF_WARP_SEGMENT, a, {128, 128, 0x0000ffff}, {192, 64, 0x7fff0000},
          {256, 32, 0x80000000});
    CHECK(COALESCE_SEGMENT_32, a, {128, 32, 0x0000007f}, {160, 32, 0x00007f80},
          {192, 32, 0x007f8000}, {224, 32, 0x7f800000}, {256, 32, 0x80000000});
    CHECK(COALESCE_SECTOR, a, {128, 32, 0x0000007f}, {160, 32, 0x00007f80}, {192, 32, 0x007f8000},
          {224, 32, 0x7f800000}, {256, 32, 0x80000000});
    CHECK(COALESCE_LINE_128, a, {128, 128, 0x7fffffff}, {256, 128, 0x80000000});
    CHECK(COALESCE_STORE_124, a, {128, 128, 0x7fffffff}, {256, 32, 0x80000000});
}

/* PG 5.5 figure 16, fourth row: 12.5 % of a segment and 3.125 % of a line in use. */
static void one_word_for_all_lanes_is_fetched_once(void **state)
{
    (void)state;
    struct warp_access a = affine(4, 132, 0);
    check_each_lane(COALESCE_HALF_WARP_STRICT, a);
    CHECK(COALESCE_HALF_WARP_SEGMENT, a, {128, 32, 0x0000ffff}, {128, 32, 0xffff0000});
    CHECK(COALESCE_SEGMENT_32, a, {128, 32, UINT32_MAX});
    CHECK(COALESCE_SECTOR, a, {128, 32, UINT32_MAX});
    CHECK(COALESCE_LINE_128, a, {128, 128, UINT32_MAX});
    assert_int_equal(coalesce_distinct_bytes(&a), 4);
}

/* PG 3.2 G.3.2.1: a half-warp with idle threads still coalesces. */
static void strict_rule_ignores_inactive_lanes(void **state)
{
    (void)state;
    struct warp_access a = affine(4, 128, 4);
    a.active = 0x00109ff0;
    CHECK(COALESCE_HALF_WARP_STRICT, a, {128, 64, 0x9ff0}, {192, 64, 0x100000});
    a.active = 0xfff00000;
    CHECK(COALESCE_HALF_WARP_STRICT, a, {192, 64, 0xfff00000});
    assert_int_equal(run(COALESCE_HALF_WARP_STRICT, a).requests, 1);
}

/* PG 3.2 G.3.2.1: 64 bytes of 4-byte words, 128 of 8-byte words, twice 128 of 16-byte words. The
 * two segments of 16-byte words follow each other and need no more than 128-byte alignment. */
static void strict_rule_takes_segments_by_word_size(void **state)
{
    (void)state;
    CHECK(COALESCE_HALF_WARP_STRICT, affine(8, 256, 8), {256, 128, 0xffff}, {384, 128, 0xffff0000});
    CHECK(COALESCE_HALF_WARP_STRICT, affine(16, 128, 16), {128, 128, 0x00ff}, {256, 128, 0xff00},
          {384, 128, 0x00ff0000}, {512, 128, 0xff000000});
    check_each_lane(COALESCE_HALF_WARP_STRICT, affine(8, 64, 8));
    check_each_lane(COALESCE_HALF_WARP_STRICT, affine(4, 32, 4));
    check_each_lane(COALESCE_HALF_WARP_STRICT, affine(1, 128, 1));
    check_each_lane(COALESCE_HALF_WARP_STRICT, affine(2, 128, 2));
    check_each_lane(COALESCE_HALF_WARP_STRICT, affine(4, 0, 12));
    struct warp_access a = affine(16, 128, 16);
    a.active = 0x000000f0;
    CHECK(COALESCE_HALF_WARP_STRICT, a, {128, 128, 0xf0});
}

/* PG 3.2 G.3.2.2, by the word q of a 128-byte segment on which a half-warp of 4-byte words starts.
 * From q = 17 on, 32 - q words are left in this segment's upper half and q - 16 go to the next. At
 * an offset of 8 words the odd half-warps (q = 24) make two 32-byte transactions. */
static void offset_copies_follow_the_segment_protocol(void **state)
{
    (void)state;
    for (uint32_t offset = 0; offset <= 32; offset++) {
        struct warp_access a = affine(4, UINT64_C(4) * offset, 4);
        struct coalesced got = run(COALESCE_HALF_WARP_SEGMENT, a);
        uint32_t i = 0;
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t q = (offset + 16 * half) % 32;
            uint32_t first = q % 16 == 0 ? 64 : q < 16 ? 128 : q < 24 ? 64 : 32;
            uint32_t second = q <= 16 ? 0 : q <= 24 ? 32 : 64;
            assert_int_equal(got.list[i++].bytes, first);
            if (second != 0)
                assert_int_equal(got.list[i++].bytes, second);
        }
        assert_int_equal(got.transactions, i);
        got = run(COALESCE_HALF_WARP_STRICT, a);
        assert_int_equal(got.transactions, offset % 16 == 0 ? 2 : 32);
    }
    CHECK(COALESCE_HALF_WARP_SEGMENT, affine(4, 32, 4), {0, 128, 0x0000ffff}, {96, 32, 0x00ff0000},
          {128, 32, 0xff000000});
}

/* PG 3.2 G.3.2.2: the segment is 32 bytes for 1-byte words, 64 for 2-byte words. Four ints read
 * member by member take two whole 128-byte segments where four arrays take one of 64. */
static void segment_rule_depends_on_the_word(void **state)
{
    (void)state;
    CHECK(COALESCE_HALF_WARP_SEGMENT, affine(1, 128, 1), {128, 32, 0xffff}, {128, 32, 0xffff0000});
    CHECK(COALESCE_HALF_WARP_SEGMENT, affine(2, 144, 2), {128, 64, 0x0000ffff},
          {160, 32, 0x00ff0000}, {192, 32, 0xff000000});
    CHECK(COALESCE_HALF_WARP_SEGMENT, affine(4, 4, 16), {0, 128, 0x00ff}, {128, 128, 0xff00},
          {256, 128, 0x00ff0000}, {384, 128, 0xff000000});
    CHECK(COALESCE_HALF_WARP_SEGMENT, affine(16, 0, 16), {0, 128, 0x00ff}, {128, 128, 0xff00},
          {256, 128, 0x00ff0000}, {384, 128, 0xff000000});
}

/* PG 5.5 G.4.2: each half-warp of 8-byte and each quarter-warp of 16-byte words on its own. */
static void wide_words_split_requests_of_fermi(void **state)
{
    (void)state;
    CHECK(COALESCE_LINE_128, affine(8, 0, 8), {0, 128, 0xffff}, {128, 128, 0xffff0000});
    CHECK(COALESCE_SEGMENT_32, affine(8, 64, 0), {64, 32, 0xffff}, {64, 32, 0xffff0000});
    CHECK(COALESCE_LINE_128, affine(16, 16, 0), {0, 128, 0xff}, {0, 128, 0xff00},
          {0, 128, 0xff0000}, {0, 128, 0xff000000});
    struct warp_access a = affine(16, 0, 16);
    assert_int_equal(run(COALESCE_LINE_128, a).requests, 4);
    a.active = 0x00ff0001;
    assert_int_equal(run(COALESCE_LINE_128, a).requests, 2);
}

/* Stores of sm_20 to sm_37: four, two or one segment a transaction, over the whole warp. */
static void stores_merge_aligned_segments(void **state)
{
    (void)state;
    CHECK(COALESCE_STORE_124, affine(4, 160, 4), {160, 32, 0x000000ff}, {192, 64, 0x00ffff00},
          {256, 32, 0xff000000});
    CHECK(COALESCE_STORE_124, affine(4, 192, 4), {192, 64, 0x0000ffff}, {256, 64, 0xffff0000});
    CHECK(COALESCE_STORE_124, affine(8, 2016, -8), {1760, 32, 0xe0000000}, {1792, 128, 0x1fffe000},
          {1920, 128, 0x00001fff});
    struct warp_access a = affine(16, 0, 16);
    assert_int_equal(run(COALESCE_STORE_124, a).transactions, 4);
    assert_int_equal(run(COALESCE_STORE_124, a).requests, 1);
}

/* Matrix of 1024 x 1024 floats in 16 x 16 blocks, so a warp is two rows of 16. Rates of nvprof on
 * Tegra X1: 4 requests a load, 4 store transactions by rows and 32 by columns, and for reads by
 * columns an efficiency of 25 %, which is 16 sectors. */
static void groups_of_lanes_count_on_maxwell(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 0, 4);
    a.addr = addr;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 4096 * (lane / 16) + 4 * (lane % 16);
    assert_int_equal(run(COALESCE_SECTOR_GROUPED, a).transactions, 4);
    assert_int_equal(run(COALESCE_SECTOR_SPLIT_REQUESTS, a).requests, 4);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 4096 * (lane % 16) + 4 * (lane / 16);
    assert_int_equal(run(COALESCE_SECTOR_GROUPED, a).transactions, 32);
    assert_int_equal(run(COALESCE_SECTOR_SPLIT_REQUESTS, a).transactions, 16);
    a.active = 0x0000ff01;
    assert_int_equal(run(COALESCE_SECTOR_SPLIT_REQUESTS, a).requests, 2);
    assert_int_equal(run(COALESCE_SECTOR_SPLIT_REQUESTS, affine(8, 0, 8)).requests, 8);
    assert_int_equal(run(COALESCE_SECTOR_GROUPED, affine(16, 0, 16)).requests, 16);
    assert_int_equal(run(COALESCE_SECTOR_GROUPED, affine(16, 0, 0)).transactions, 16);
}

/* ncu on V100 and later: one request at any width; an offset of 11 words makes five sectors of four
 * (efficiency 80 %). */
static void volta_makes_one_request_of_any_width(void **state)
{
    (void)state;
    for (uint8_t width = 1; width <= 16; width = (uint8_t)(width * 2)) {
        struct coalesced got = run(COALESCE_SECTOR, affine(width, 0, width));
        assert_int_equal(got.requests, 1);
        assert_int_equal(got.transactions, width);
        assert_int_equal(run(COALESCE_SECTOR, affine(width, 64, 0)).transactions, 1);
    }
    assert_int_equal(run(COALESCE_SECTOR, affine(4, 44, 4)).transactions, 5);
    assert_int_equal(run(COALESCE_SECTOR, affine(4, 0, 32)).transactions, 32);
}

static void sm_1x_atomics_are_a_transaction_a_lane(void **state)
{
    (void)state;
    check_each_lane(COALESCE_LANE, affine(4, 128, 4));
    check_each_lane(COALESCE_LANE, affine(4, 132, 0));
    assert_int_equal(run(COALESCE_LANE, affine(4, 0, 4)).requests, 2);
}

static void distinct_bytes_count_shared_words_once(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(8, 64, 8), b = listed(a, addr);
    assert_int_equal(coalesce_distinct_bytes(&a), 256);
    assert_int_equal(coalesce_distinct_bytes(&b), 256);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 8 * (lane % 5);
    assert_int_equal(coalesce_distinct_bytes(&b), 40);
    assert_int_equal(coalesce_ideal_sectors(40), 2);
    assert_int_equal(coalesce_ideal_sectors(1), 1);
    assert_int_equal(coalesce_ideal_sectors(32), 1);
    assert_int_equal(coalesce_ideal_sectors(33), 2);
    b.active = 0x80000001; /* lanes 0 and 31 on words 0 and 1 */
    assert_int_equal(coalesce_distinct_bytes(&b), 16);
}

/* The k-th lane of an address goes in round k; each round moves its own sectors. */
static void atomics_on_one_address_take_rounds(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access a = affine(4, 64, 0), b = listed(affine(4, 0, 4), addr);
    assert_int_equal(run(COALESCE_SECTOR_ROUNDS, affine(4, 0, 4)).transactions, 4);
    assert_int_equal(run(COALESCE_SECTOR_ROUNDS, a).transactions, 32);
    a.active = 0x11;
    CHECK(COALESCE_SECTOR_ROUNDS, a, {64, 32, 0x01}, {64, 32, 0x10});
    addr[31] = 0; /* as lane 0 has; words 0 to 30 are in the first round */
    CHECK(COALESCE_SECTOR_ROUNDS, b, {0, 32, 0x000000ff}, {32, 32, 0x0000ff00},
          {64, 32, 0x00ff0000}, {96, 32, 0x7f000000}, {0, 32, 0x80000000});
}

static void check_affine_like_listed(struct warp_access a)
{
    uint64_t addr[WARP_LANES];
    struct warp_access b = listed(a, addr);
    for (unsigned rule = 0; rule < COALESCE_RULE_COUNT; rule++) {
        struct coalesced want = run((enum coalesce_rule)rule, b);
        check((enum coalesce_rule)rule, a, want.list, want.transactions);
        assert_int_equal(run((enum coalesce_rule)rule, a).requests, want.requests);
    }
    assert_int_equal(coalesce_distinct_bytes(&a), coalesce_distinct_bytes(&b));
}

static void affine_and_listed_accesses_agree(void **state)
{
    (void)state;
    for (uint8_t width = 1; width <= 16; width = (uint8_t)(width * 2))
        for (unsigned i = 0; i < AFFINE_VARIANTS; i++)
            check_affine_like_listed(affine_variant(width, i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_words_take_the_fewest_transactions),
        cmocka_unit_test(order_matters_to_the_strict_rule_alone),
        cmocka_unit_test(misaligned_words_take_more),
        cmocka_unit_test(one_word_for_all_lanes_is_fetched_once),
        cmocka_unit_test(strict_rule_ignores_inactive_lanes),
        cmocka_unit_test(strict_rule_takes_segments_by_word_size),
        cmocka_unit_test(offset_copies_follow_the_segment_protocol),
        cmocka_unit_test(segment_rule_depends_on_the_word),
        cmocka_unit_test(wide_words_split_requests_of_fermi),
        cmocka_unit_test(stores_merge_aligned_segments),
        cmocka_unit_test(groups_of_lanes_count_on_maxwell),
        cmocka_unit_test(volta_makes_one_request_of_any_width),
        cmocka_unit_test(atomics_on_one_address_take_rounds),
        cmocka_unit_test(sm_1x_atomics_are_a_transaction_a_lane),
        cmocka_unit_test(distinct_bytes_count_shared_words_once),
        cmocka_unit_test(affine_and_listed_accesses_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
