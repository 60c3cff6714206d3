/* test_advise_combine.c - what becomes of a warp's and a block's atomics, step by step; which uses of what an
 * atomic returns show; what becomes of managed pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "advise/combine.h"
#include "advise/managed_change.h"
#include "advise/observe_atomics.h"

enum { WORDS = 0x10000, STEPS_MAX = 64, THREADS = 48 };

/* ---- What comes out -------------------------------------------------------------------------- */

/* An access, or an event: op and space are OP_COUNT and the kind. */
struct came {
    uint32_t block, warp, active, site, work;
    uint8_t op, space;
    uint64_t low; /* address of the first active lane */
};

static struct came came[STEPS_MAX];
static size_t came_count;
static struct trace_site announced[8];
static uint64_t block_shared, launch_shared;

static bool take_site(void *context, uint32_t number, const struct trace_site *site)
{
    (void)context;
    announced[number] = *site;
    return true;
}

static bool take_access(void *context, const struct warp_access *a)
{
    (void)context;
    assert_true(came_count < STEPS_MAX);
    came[came_count++] = (struct came){
        a->block, a->warp, a->active, a->site,
        a->work,  a->op,   a->space,  access_addr(a, (unsigned)__builtin_ctz(a->active))};
    return true;
}

static bool take_event(void *context, const struct trace_event *event)
{
    (void)context;
    assert_true(came_count < STEPS_MAX);
    came[came_count++] = (struct came){event->block, event->warp,          0, 0, event->work,
                                       OP_COUNT,     (uint8_t)event->kind, 0};
    if (event->kind == TRACE_BLOCK_END)
        block_shared = event->shared_bytes;
    return true;
}

static bool take_end(void *context, uint64_t shared_bytes)
{
    (void)context;
    launch_shared = shared_bytes;
    return true;
}

static const struct trace_sink taker = {
    .site = take_site, .access = take_access, .event = take_event, .launch_end = take_end};

/* ---- A run of one block: two warps, of 32 and 16 lanes, lane l adds to word l % 3 ------------------ */

static struct trace_site the_site = {"a.cu", 3, "bins", SPACE_GLOBAL, OP_ATOMIC, 4};

static void run_changed(enum map_kind kind)
{
    static const uint32_t masks[2] = {0xfffffffe, 0xffff};
    struct object bins = {.name = "bins",
                          .atomic_kernel = "k",
                          .space = SPACE_GLOBAL,
                          .width = 4,
                          .base = WORDS - 256,
                          .bytes = 1024,
                          .low = WORDS,
                          .high = WORDS + 12};
    uint16_t object_of_site = 0;
    const struct observed observed = {.objects = &bins,
                                      .object_count = 1,
                                      .sites = &the_site,
                                      .object_of_site = &object_of_site,
                                      .site_count = 1};
    struct array_map map = {.kind = kind};
    const struct change change = {.maps = &map, .map_count = 1, .staging = {.object = NO_OBJECT}};
    struct combine combine;
    uint64_t addr[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = WORDS + 4 * (lane % 3);
    assert_true(combine_is_due(&change));
    combine_start(&combine, &change, &observed, &taker);
    const struct trace_sink sink = combine_sink(&combine);
    const struct launch_info launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    came_count = 0;
    assert_true(sink_site(&sink, 0, &the_site) && sink_launch_begin(&sink, &launch));
    for (uint32_t warp = 0; warp < 2; warp++) {
        const struct warp_access a = {.addr = addr,
                                      .active = masks[warp],
                                      .resident = warp ? 0xffff : UINT32_MAX,
                                      .block = 0,
                                      .warp = warp,
                                      .work = 5,
                                      .width = 4,
                                      .op = OP_ATOMIC,
                                      .space = SPACE_GLOBAL};
        const struct trace_event end = {.kind = TRACE_WARP_END, .warp = warp, .work = 7};
        assert_true(sink_access(&sink, &a) && sink_event(&sink, &end));
    }
    const struct trace_event end = {.kind = TRACE_BLOCK_END, .shared_bytes = 100};
    assert_true(sink_event(&sink, &end) && sink_launch_end(&sink, 100));
}

static void assert_came(const struct came *expected, size_t count)
{
    assert_int_equal(came_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(came[i].warp, expected[i].warp);
        assert_int_equal(came[i].active, expected[i].active);
        assert_int_equal(came[i].site, expected[i].site);
        assert_int_equal(came[i].work, expected[i].work);
        assert_int_equal(came[i].op, expected[i].op);
        assert_int_equal(came[i].space, expected[i].space);
        assert_int_equal(came[i].low, expected[i].low);
    }
}

/* Lanes 1, 2, 3 are the first of words 1, 2, 0 where lane 0 takes no part. */
static void lanes_of_a_word_become_one(void **state)
{
    (void)state;
    static const struct came expected[] = {
        {0, 0, 14, 0, 5 + 3 * WARP_SUM_WORK, OP_ATOMIC, SPACE_GLOBAL, WORDS + 4},
        {0, 0, 0, 0, 7, OP_COUNT, TRACE_WARP_END, 0},
        {0, 1, 7, 0, 5 + 3 * WARP_SUM_WORK, OP_ATOMIC, SPACE_GLOBAL, WORDS},
        {0, 1, 0, 0, 7, OP_COUNT, TRACE_WARP_END, 0},
        {0, 0, 0, 0, 0, OP_COUNT, TRACE_BLOCK_END, 0},
    };
    run_changed(MAP_WARP_SUM);
    assert_came(expected, sizeof expected / sizeof expected[0]);
    assert_int_equal(block_shared, 100);
    assert_int_equal(launch_shared, 100);
}

/* Both warps wait twice; the first has all three words to clear and to add. */
static void a_block_adds_once(void **state)
{
    (void)state;
    static const struct came expected[] = {
        {0, 0, 7, 1, 3, OP_STORE, SPACE_SHARED, 0},
        {0, 0, 0, 0, 1, OP_COUNT, TRACE_BARRIER, 0},
        {0, 1, 0, 0, 1, OP_COUNT, TRACE_BARRIER, 0},
        {0, 0, 0xfffffffe, 0, 5, OP_ATOMIC, SPACE_SHARED, 4},
        {0, 0, 0, 0, 7, OP_COUNT, TRACE_BARRIER, 0},
        {0, 0, 7, 2, 3, OP_LOAD, SPACE_SHARED, 0},
        {0, 0, 7, 3, 3, OP_ATOMIC, SPACE_GLOBAL, WORDS},
        {0, 0, 0, 0, 1, OP_COUNT, TRACE_WARP_END, 0},
        {0, 1, 0xffff, 0, 5, OP_ATOMIC, SPACE_SHARED, 0},
        {0, 1, 0, 0, 7, OP_COUNT, TRACE_BARRIER, 0},
        {0, 1, 0, 0, 1, OP_COUNT, TRACE_WARP_END, 0},
        {0, 0, 0, 0, 0, OP_COUNT, TRACE_BLOCK_END, 0},
    };
    run_changed(MAP_BLOCK_SUM);
    assert_came(expected, sizeof expected / sizeof expected[0]);
    assert_int_equal(announced[0].space, SPACE_SHARED);
    assert_int_equal(announced[1].op, OP_STORE);
    assert_int_equal(announced[2].op, OP_LOAD);
    assert_int_equal(announced[3].op, OP_ATOMIC);
    assert_int_equal(announced[3].space, SPACE_GLOBAL);
    assert_int_equal(block_shared, 512); /* 100 bytes and three words, each in a piece of 256 */
    assert_int_equal(launch_shared, 512);
}

/* ---- What atomics return ---------------------------------------------------------------------- */

/* An atomic by the lanes, then a store of theirs to words by rank or by lane; is a use seen? */
static bool use_is_seen(uint32_t lanes, bool by_rank)
{
    struct atomic_turns turns = {0};
    struct object count = {.atomic_kernel = ""}, out = {.atomic_kernel = ""};
    uint64_t one[WARP_LANES], own[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        one[lane] = WORDS;
        own[lane] =
            4096 + 4 * (uint64_t)(by_rank ? (unsigned)__builtin_popcount(lanes & ((1U << lane) - 1))
                                          : lane);
    }
    const struct warp_access atomic = {.addr = one, .active = lanes, .op = OP_ATOMIC};
    const struct warp_access store = {.addr = own, .active = lanes, .op = OP_STORE};
    observe_atomic(&turns, &count, "k", &atomic);
    count.atomics++;
    observe_atomic(&turns, &out, "k", &store);
    assert_string_equal(count.atomic_kernel, "k");
    assert_false(out.returns_used);
    return count.returns_used;
}

static void indices_are_uses(void **state)
{
    (void)state;
    assert_true(use_is_seen(0x80010011, true));
    assert_false(use_is_seen(0x80010011, false));
    assert_false(use_is_seen(0x11111111, true)); /* every fourth lane: cannot be told */
    assert_false(use_is_seen(UINT32_MAX, true)); /* nor can all lanes */
    assert_false(use_is_seen(0x3, true));
    assert_true(use_is_seen(0xb, true));
}

static void kernels_are_told_apart(void **state)
{
    (void)state;
    struct atomic_turns turns = {0};
    struct object count = {.atomic_kernel = ""};
    const struct warp_access atomic = {.base = WORDS, .active = 1, .op = OP_ATOMIC};
    observe_atomic(&turns, &count, "k", &atomic);
    count.atomics++;
    observe_atomic(&turns, &count, "other", &atomic);
    assert_string_equal(count.atomic_kernel, "");
}

/* ---- Pages ------------------------------------------------------------------------------------ */

static void pages_are_prefetched_and_stretched(void **state)
{
    (void)state;
    static const uint8_t done[2] = {MANAGED_TOUCHED, 0};
    static const struct managed_range ranges[2] = {
        {WORDS, 2 * MANAGED_PAGE_BYTES, done},
        {2 * WORDS, 2 * MANAGED_PAGE_BYTES, NULL},
    };
    struct object objects[2] = {
        {.is_known = true, .base = WORDS, .bytes = 2 * MANAGED_PAGE_BYTES},
        {.is_known = true, .base = 2 * WORDS, .bytes = 2 * MANAGED_PAGE_BYTES}};
    struct array_map maps[2] = {
        {.kind = MAP_WIDE, .new_bytes = 4 * MANAGED_PAGE_BYTES, .move = WORDS},
        {.kind = MAP_PREFETCH, .new_bytes = 2 * MANAGED_PAGE_BYTES}};
    const struct observed observed = {.objects = objects, .object_count = 2};
    const struct change change = {.maps = maps, .map_count = 2};
    const struct launch_info launch = {.managed = ranges, .managed_count = 2};
    struct managed_pages pages;
    assert_true(managed_pages_change(&pages, &launch, &change, &observed));
    assert_int_equal(pages.count, 2);
    assert_int_equal(pages.ranges[0].address, 2 * WORDS);
    assert_int_equal(pages.ranges[0].bytes, 4 * MANAGED_PAGE_BYTES);
    const uint8_t stretched[4] = {MANAGED_TOUCHED, MANAGED_TOUCHED, 0, 0};
    assert_memory_equal(pages.ranges[0].touched, stretched, 4);
    assert_int_equal(pages.ranges[1].address, 2 * WORDS);
    const uint8_t prefetched[2] = {MANAGED_PREFETCHED, MANAGED_PREFETCHED};
    assert_memory_equal(pages.ranges[1].touched, prefetched, 2);
    managed_pages_free(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_a_word_become_one),
        cmocka_unit_test(a_block_adds_once),
        cmocka_unit_test(indices_are_uses),
        cmocka_unit_test(kernels_are_told_apart),
        cmocka_unit_test(pages_are_prefetched_and_stretched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
