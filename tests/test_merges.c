/* test_merges.c - what goes along with what: stores that an SM holds back, loads of one GPC, lines that
 * L2 writes back before it must.
 */
#include "test_support.h"

#include "models/models.h"
#include "sim/time/cache.h"
#include "sim/time/gpc_merge.h"
#include "sim/time/store_merge.h"
#include "sim/time/ticks.h"
#include "sim_feed.h"

static struct memsys_request store_to(uint32_t line, uint32_t words)
{
    uint8_t sectors = 0;
    for (uint32_t s = 0; s < 4; s++)
        sectors |= (uint8_t)((words >> 8 * s & 255 ? 1U : 0U) << s);
    return (struct memsys_request){.line = line, .words = words, .sectors = sectors};
}

/* An access of a warp at a time; nobody is in its way. */
static struct store_origin by(uint32_t warp, uint32_t access, uint64_t now)
{
    return (struct store_origin){now, now, warp, access};
}

static void hold(struct store_merge *merge, uint32_t line, struct store_origin origin)
{
    const struct memsys_request store = store_to(line, 1);
    store_merge_hold(merge, &store, &origin);
}

static bool joins(struct store_merge *merge, uint32_t line, struct store_origin origin)
{
    const struct memsys_request store = store_to(line, 2);
    uint32_t again;
    return store_merge_join(merge, &store, &origin, &again);
}

static void a_store_to_a_held_line_goes_along(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100, .longest = 100};
    const struct store_origin origin = by(1, 1, 1000), later = by(1, 2, 1010);
    struct memsys_request first = store_to(7, 0x00ff), second = store_to(7, 0xff0f), out;
    uint32_t again = 0;
    assert_false(store_merge_join(&merge, &first, &origin, &again));
    store_merge_hold(&merge, &first, &origin);
    assert_true(store_merge_join(&merge, &second, &later, &again));
    assert_int_equal(again, 1); /* sector 0 was to be sent already */
    assert_true(store_merge_holds(&merge, 7));
    assert_true(store_merge_take(&merge, &out));
    assert_int_equal(out.sectors, 3);
    assert_int_equal(out.words, 0xffff);
    assert_false(store_merge_take(&merge, &out));
    assert_false(store_merge_holds(&merge, 7));
}

static void assert_leaves(struct store_merge *merge, uint64_t at, uint32_t line)
{
    struct memsys_request out;
    assert_int_equal(store_merge_due(merge, at - 1), UINT64_MAX);
    assert_int_equal(store_merge_due(merge, at + 5), at);
    assert_true(store_merge_take(merge, &out));
    assert_int_equal(out.line, line);
}

/* A time behind the latest store to them. */
static void stores_leave_when_their_time_is_over_and_in_order(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100, .longest = 100};
    hold(&merge, 1, by(1, 1, 1000));
    hold(&merge, 2, by(2, 2, 1050));
    assert_true(joins(&merge, 1, by(1, 3, 1060)));
    assert_leaves(&merge, 1160, 1);
    assert_int_equal(store_merge_due(&merge, 1160), 1150);
}

/* What others' accesses cost a warp is no time of its own; others' stores go along for 16 cycles. */
static void a_warp_has_its_own_time(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100, .longest = 5000};
    struct store_origin late = by(1, 2, 4000);
    hold(&merge, 1, by(1, 1, 1000));
    late.own = 1101;
    assert_false(joins(&merge, 1, late));
    late.own = 1100;
    assert_true(joins(&merge, 1, late));
    assert_false(joins(&merge, 1, by(2, 3, 4001 + ticks_of_cycles(16))));
    assert_true(joins(&merge, 1, by(2, 3, 4000 + ticks_of_cycles(16))));
}

/* Six cycles later. */
static void stores_leave_when_their_warp_stores_elsewhere(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100 << TICKS_LOG2, .longest = 100 << TICKS_LOG2};
    hold(&merge, 0, by(1, 1, 1000));
    hold(&merge, 1, by(1, 1, 1001)); /* of the same access */
    hold(&merge, 2, by(2, 2, 1002));
    hold(&merge, 3, by(1, 3, 1050));
    assert_leaves(&merge, 1050 + ticks_of_cycles(6), 0);
    assert_leaves(&merge, 1050 + ticks_of_cycles(6), 1);
    assert_leaves(&merge, 1002 + ticks_of_cycles(100), 2);
    assert_leaves(&merge, 1050 + ticks_of_cycles(100), 3);
}

static void so_many_lines_are_held(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 1 << 20, .longest = 1 << 20};
    struct memsys_request out;
    for (uint32_t i = 0; i < 3 * STORE_MERGE_LINES; i++) {
        assert_int_equal(store_merge_is_full(&merge), i >= STORE_MERGE_LINES);
        if (store_merge_is_full(&merge)) {
            assert_true(store_merge_take(&merge, &out));
            assert_int_equal(out.line, i - STORE_MERGE_LINES);
        }
        hold(&merge, i, by(1, 1, i));
    }
}

static void loads_share_a_request_for_a_while_and_up_to_a_number(void **state)
{
    (void)state;
    struct gpc_load loads[GPC_MERGE_PLACES] = {{0}};
    struct gpc_merge gpc = {loads, 3, .way = 360};
    uint64_t done = 0;
    assert_false(gpc_merge_join(&gpc, 5, 1, 100, &done));
    gpc_merge_note(&gpc, 5, 3, 100, 500, 0);
    assert_false(gpc_merge_join(&gpc, 6, 1, 101, &done)); /* another line */
    assert_false(gpc_merge_join(&gpc, 5, 4, 101, &done)); /* a sector that is not on its way */
    assert_false(gpc_merge_join(&gpc, 5, 2, 101, &done)); /* one of two */
    assert_true(gpc_merge_join(&gpc, 5, 3, 139, &done));
    assert_int_equal(done, 500);
    assert_false(gpc_merge_join(&gpc, 5, 3, 140, &done)); /* too late */
    assert_true(gpc_merge_join(&gpc, 5, 3, 120, &done));
    assert_false(gpc_merge_join(&gpc, 5, 3, 121, &done)); /* three share it */
    gpc_merge_note(&gpc, 5, 3, 200, 210, 0);
    assert_false(gpc_merge_join(&gpc, 5, 3, 200, &done)); /* it is nearly back */
}

/* Where they merge, a line is through when its first sector is: the others' time lies behind it. */
static void further_sectors_are_no_longer_open(void **state)
{
    (void)state;
    struct gpc_load loads[GPC_MERGE_PLACES] = {{0}};
    struct gpc_merge gpc = {loads, 4, .way = 360};
    uint64_t done;
    gpc_merge_note(&gpc, 5, 15, 100, 530, 30);
    assert_true(gpc_merge_join(&gpc, 5, 15, 139, &done));
    assert_false(gpc_merge_join(&gpc, 5, 15, 140, &done));
}

static void of_a_set_the_dirty_line_goes_that_was_not_used_for_longest(void **state)
{
    (void)state;
    struct cache cache;
    struct cache_line evicted;
    assert_true(cache_init(&cache, 8 * 128, 8, false, 16)); /* one set */
    for (uint32_t line = 0; line < 6; line++)
        cache_claim(&cache, line, &evicted)->dirty = line % 2 ? 1 : 0;
    assert_int_equal(cache_next_waiting(&cache, false)->line, 1);
    cache_find(&cache, 1);
    assert_int_equal(cache_next_waiting(&cache, false)->line, 3);
    cache_find(&cache, 5)->partial = 1;
    assert_int_equal(cache_next_waiting(&cache, true)->line, 5);
    cache_free(&cache);
}

static void every_set_is_asked_for_dirty_lines(void **state)
{
    (void)state;
    enum { SETS = 100 };
    struct cache cache;
    struct cache_line evicted;
    unsigned times[SETS] = {0};
    assert_true(cache_init(&cache, SETS * 128, 1, false, 16));
    for (uint32_t line = 0; line < SETS; line++)
        cache_claim(&cache, line, &evicted)->dirty = 1;
    for (unsigned i = 0; i < 100 * SETS; i++)
        times[cache_next_waiting(&cache, false)->line]++;
    for (unsigned set = 0; set < SETS; set++)
        assert_in_range(times[set], 50, 200);
    cache_free(&cache);
}

/* Every warp stores a line of local memory and loads it: with memory of their own, no block's store
 * reaches another's line, and what L2 holds in the end is a line a warp. */
static void resident_blocks_have_local_memory_of_their_own(void **state)
{
    (void)state;
    struct arch arch;
    arch_from_model(models_find("h200"), &arch);
    struct feed_part parts[] = {
        {.shape = FEED_CHASE,
         .space = SPACE_LOCAL,
         .op = OP_STORE,
         .base = 1ULL << 36,
         .stride = 128},
        {.shape = FEED_CHASE, .space = SPACE_GLOBAL, .op = OP_LOAD, .base = 1ULL << 33},
    };
    struct feed_kernel kernel = {
        .parts = parts, .part_count = 2, .rounds = 4, .blocks = 264, .warps = 1};
    struct feed feed;
    uint32_t lines = 0;
    feed_open(&feed, &arch, NULL);
    feed_run(&feed, &kernel);
    for (uint32_t side = 0; side < feed.sim.memory.sides; side++) {
        const struct cache *l2 = &feed.sim.memory.l2[side];
        for (size_t i = 0; i < (size_t)l2->sets * l2->ways; i++)
            lines += l2->lines[i].line != CACHE_NO_LINE && l2->lines[i].dirty;
    }
    feed_close(&feed);
    assert_int_equal(lines, 264 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_to_a_held_line_goes_along),
        cmocka_unit_test(stores_leave_when_their_time_is_over_and_in_order),
        cmocka_unit_test(a_warp_has_its_own_time),
        cmocka_unit_test(stores_leave_when_their_warp_stores_elsewhere),
        cmocka_unit_test(so_many_lines_are_held),
        cmocka_unit_test(loads_share_a_request_for_a_while_and_up_to_a_number),
        cmocka_unit_test(further_sectors_are_no_longer_open),
        cmocka_unit_test(of_a_set_the_dirty_line_goes_that_was_not_used_for_longest),
        cmocka_unit_test(every_set_is_asked_for_dirty_lines),
        cmocka_unit_test(resident_blocks_have_local_memory_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
