/* test_cache_fills.c - when does a cache say that a line which is on its way is there?
 *
 * A fill is noted in whole cycles, 256 ticks each, and is asked for in ticks.
 */
#include "test_support.h"

#include "sim/time/cache.h"
#include "sim/time/ticks.h"

enum { FILLS = 16 };

static struct cache cache;

static int open_cache(void **state)
{
    (void)state;
    return cache_init(&cache, 64 * 4 * LINE_BYTES, 4, false, FILLS) ? 0 : -1;
}

static int close_cache(void **state)
{
    (void)state;
    cache_free(&cache);
    return 0;
}

static struct cache_line *claim(uint32_t line)
{
    struct cache_line evicted;
    return cache_claim(&cache, line, &evicted);
}

/* When the line is there, in ticks. */
static uint64_t filled(uint32_t line, uint64_t now)
{
    struct cache_line *at = cache_find(&cache, line);
    assert_non_null(at);
    return cache_filled(&cache, at, now);
}

static void a_fill_arrives_at_the_next_whole_cycle(void **state)
{
    (void)state;
    for (uint64_t ticks = 255; ticks <= 257; ticks++) {
        const uint64_t arrives = ticks == 257 ? 512 : 256;
        cache_note_fill(&cache, claim(5), 2560 + ticks);
        assert_int_equal(filled(5, 100), 2560 + arrives);
        assert_int_equal(filled(5, 2560 + arrives - 1), 2560 + arrives);
        assert_int_equal(filled(5, 2560 + arrives), 2560 + arrives);
        assert_int_equal(cache_find(&cache, 5)->on_its_way, 0); /* and is forgotten */
        assert_int_equal(filled(5, 100), 100);
    }
}

static void a_line_that_nobody_has_asked_for_is_there(void **state)
{
    (void)state;
    claim(6);
    assert_int_equal(filled(6, 77), 77);
}

/* Sectors of a line that are asked for one after another: all are there with the last. */
static void the_latest_fill_of_a_line_counts(void **state)
{
    (void)state;
    cache_note_fill(&cache, claim(5), ticks_of_cycles(100));
    cache_note_fill(&cache, claim(5), ticks_of_cycles(50));
    assert_int_equal(filled(5, 0), ticks_of_cycles(100));
    cache_note_fill(&cache, claim(5), ticks_of_cycles(150));
    assert_int_equal(filled(5, 0), ticks_of_cycles(150));
}

/* The table has 16 places: a line 16 further takes the place, and the first one counts as arrived. Its next fill
 * is not compared with that of the other line. */
static void a_later_line_may_take_the_place_of_a_fill(void **state)
{
    (void)state;
    cache_note_fill(&cache, claim(5), ticks_of_cycles(100));
    cache_note_fill(&cache, claim(6), ticks_of_cycles(110)); /* has a place of its own */
    assert_int_equal(filled(5, 0), ticks_of_cycles(100));
    cache_note_fill(&cache, claim(5 + FILLS), ticks_of_cycles(200));
    cache_note_fill(&cache, claim(5), ticks_of_cycles(120));
    assert_int_equal(filled(5, 0), ticks_of_cycles(120));
    assert_int_equal(filled(5 + FILLS, 0), 0);
    assert_int_equal(filled(6, 0), ticks_of_cycles(110));
}

/* What was noted for a line is no fill of the same line after it was driven out. */
static void a_line_that_comes_back_is_not_on_its_way(void **state)
{
    (void)state;
    cache_note_fill(&cache, claim(5), ticks_of_cycles(100));
    for (uint32_t way = 1; way <= 4; way++)
        claim(5 + 64 * way); /* of the same set of four */
    claim(5);
    assert_int_equal(filled(5, 0), 0);
    cache_note_fill(&cache, claim(5), ticks_of_cycles(70)); /* an earlier one than before */
    assert_int_equal(filled(5, 0), ticks_of_cycles(70));
}

/* Cycles are kept in 32 bits: a fill of the next 2^32 is ahead of now. */
static void fills_are_told_beyond_32_bits_of_cycles(void **state)
{
    (void)state;
    const int64_t wraps = INT64_C(1) << 32;
    cache_note_fill(&cache, claim(5), ticks_of_cycles(wraps + 10));
    assert_int_equal(filled(5, ticks_of_cycles(wraps - 5)), ticks_of_cycles(wraps + 10));
    cache_note_fill(&cache, claim(5), ticks_of_cycles(wraps - 3));
    assert_int_equal(filled(5, ticks_of_cycles(wraps - 5)), ticks_of_cycles(wraps + 10));
}

#define FILL_TEST(test) cmocka_unit_test_setup_teardown(test, open_cache, close_cache)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILL_TEST(a_fill_arrives_at_the_next_whole_cycle),
        FILL_TEST(a_line_that_nobody_has_asked_for_is_there),
        FILL_TEST(the_latest_fill_of_a_line_counts),
        FILL_TEST(a_later_line_may_take_the_place_of_a_fill),
        FILL_TEST(a_line_that_comes_back_is_not_on_its_way),
        FILL_TEST(fills_are_told_beyond_32_bits_of_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
