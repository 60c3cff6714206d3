/* test_merges.c - what goes along with what: stores that an SM holds back, loads of one GPC, lines that
 * L2 writes back before it must.
 */
#include "test_support.h"

#include "models/models.h"
#include "sim/time/cache.h"
#include "sim/time/gpc_merge.h"
#include "sim/time/store_merge.h"
#include "sim_feed.h"

static struct memsys_request store_to(uint32_t line, uint32_t words)
{
    uint8_t sectors = 0;
    for (uint32_t s = 0; s < 4; s++)
        sectors |= (uint8_t)((words >> 8 * s & 255 ? 1U : 0U) << s);
    return (struct memsys_request){.line = line, .words = words, .sectors = sectors};
}

static void a_store_to_a_held_line_goes_along(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100};
    struct memsys_request first = store_to(7, 0x00ff), second = store_to(7, 0xff0f), out;
    uint32_t again = 0;
    assert_false(store_merge_join(&merge, &first, &again));
    store_merge_hold(&merge, &first, 1000);
    assert_true(store_merge_join(&merge, &second, &again));
    assert_int_equal(again, 1); /* sector 0 was to be sent already */
    assert_true(store_merge_holds(&merge, 7));
    assert_true(store_merge_take(&merge, &out));
    assert_int_equal(out.sectors, 3);
    assert_int_equal(out.words, 0xffff);
    assert_false(store_merge_take(&merge, &out));
    assert_false(store_merge_holds(&merge, 7));
}

static void stores_leave_when_their_time_is_over_and_in_order(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 100};
    struct memsys_request a = store_to(1, 1), b = store_to(2, 1), out;
    store_merge_hold(&merge, &a, 1000);
    store_merge_hold(&merge, &b, 1050);
    assert_false(store_merge_due(&merge, 1099, &out));
    assert_true(store_merge_due(&merge, 1100, &out));
    assert_int_equal(out.line, 1);
    assert_false(store_merge_due(&merge, 1149, &out));
    assert_true(store_merge_due(&merge, 1150, &out));
    assert_int_equal(out.line, 2);
}

static void a_full_ring_gives_up_the_oldest(void **state)
{
    (void)state;
    struct store_merge merge = {.ticks = 1 << 20};
    struct memsys_request out;
    for (uint32_t i = 0; i < 3 * STORE_MERGE_LINES; i++) {
        struct memsys_request store = store_to(i, 1);
        bool due = store_merge_due(&merge, i, &out);
        assert_int_equal(due, i >= STORE_MERGE_LINES);
        if (due)
            assert_int_equal(out.line, i - STORE_MERGE_LINES);
        store_merge_hold(&merge, &store, i);
    }
}

static void loads_share_a_request_for_a_while_and_up_to_a_number(void **state)
{
    (void)state;
    struct gpc_load loads[GPC_MERGE_PLACES] = {{0}};
    struct gpc_merge gpc = {loads, 3, 40};
    uint64_t done = 0;
    assert_false(gpc_merge_join(&gpc, 5, 1, 100, &done));
    gpc_merge_note(&gpc, 5, 3, 100, 500);
    assert_false(gpc_merge_join(&gpc, 6, 1, 101, &done)); /* another line */
    assert_false(gpc_merge_join(&gpc, 5, 4, 101, &done)); /* a sector that is not on its way */
    assert_true(gpc_merge_join(&gpc, 5, 2, 139, &done));
    assert_int_equal(done, 500);
    assert_false(gpc_merge_join(&gpc, 5, 2, 140, &done)); /* too late */
    assert_true(gpc_merge_join(&gpc, 5, 3, 120, &done));
    assert_false(gpc_merge_join(&gpc, 5, 3, 121, &done)); /* three share it */
    gpc_merge_note(&gpc, 5, 3, 200, 210);
    assert_false(gpc_merge_join(&gpc, 5, 3, 210, &done)); /* it is back */
}

static void the_dirty_line_not_used_for_longest_is_in_excess(void **state)
{
    (void)state;
    struct cache cache;
    struct cache_line evicted;
    assert_true(cache_init(&cache, 8 * 128, 8, false, 16)); /* one set */
    for (uint32_t line = 0; line < 6; line++)
        cache_claim(&cache, line, &evicted)->dirty = line % 2 ? 1 : 0;
    assert_null(cache_excess_dirty(&cache, 0, 3, false));
    assert_int_equal(cache_excess_dirty(&cache, 0, 2, false)->line, 1);
    cache_find(&cache, 1);
    assert_int_equal(cache_excess_dirty(&cache, 0, 2, false)->line, 3);
    assert_null(cache_excess_dirty(&cache, 0, 0, true));
    cache_find(&cache, 5)->partial = 1;
    assert_int_equal(cache_excess_dirty(&cache, 0, 0, true)->line, 5);
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
        cmocka_unit_test(a_full_ring_gives_up_the_oldest),
        cmocka_unit_test(loads_share_a_request_for_a_while_and_up_to_a_number),
        cmocka_unit_test(the_dirty_line_not_used_for_longest_is_in_excess),
        cmocka_unit_test(resident_blocks_have_local_memory_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
