/* test_cache.c - does a cache keep exactly the lines that were used last in each of its sets?
 *
 * The slow side is a table of all lines in play with the time of each one's last use: a full set
 * loses the line that was used longest ago. The set of a line is read off from where the cache puts
 * it, and must stay the same. Usage: test_cache [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "sim/time/cache.h"

enum { POOL_MAX = 4096, STEPS = 4000 };

#define NO_SET UINT32_MAX

static uint64_t seed = 20260401;

/* What is known of one line in play. */
struct known_line {
    uint32_t line;
    uint64_t used;
    uint32_t set;
    bool here;
    struct cache_line content;
};

struct pool {
    struct known_line known[POOL_MAX];
    uint32_t count;
    uint64_t now;
};

static struct pool pool;

struct geometry {
    uint64_t bytes;
    uint32_t ways;
    bool hashed;
    uint32_t sets_want, ways_want;
};

static const struct geometry geometries[] = {
    {0, 4, false, 1, 1},
    {127, 4, false, 1, 1},
    {128, 1, false, 1, 1},
    {256, 4, false, 1, 2},
    {1000, 2, false, 3, 2},
    {4096, 4, false, 8, 4},
    {4096, 4, true, 8, 4},
    {5 * 3 * 128, 3, false, 5, 3},
    {5 * 3 * 128, 3, true, 5, 3},
    {7 * 128, 1, true, 7, 1},
    {6 * 16 * 128 + 127, 16, true, 6, 16},
    {64 * 128, 64, false, 1, 64},
    {37 * 128, 37, true, 1, 37},
    {1024 * 128, 1024, true, 1, 1024},
};
enum { GEOMETRIES = sizeof geometries / sizeof *geometries };

/* Lines with all bits, with few high ones, or close together; all different. */
static void pool_fill(struct random_bits *random, uint32_t lines)
{
    uint32_t kind = (uint32_t)random_below(random, 3);
    uint32_t first = (uint32_t)random_below(random, 1 << 20);
    uint32_t shift = (uint32_t)random_below(random, 20);
    pool.count = lines < POOL_MAX ? lines : POOL_MAX;
    pool.now = 0;
    for (uint32_t i = 0; i < pool.count; i++) {
        uint32_t line = first + i;
        if (kind == 1)
            line = i << shift;
        else if (kind == 2)
            line = (uint32_t)(random_next(random) >> 44 << 12) + i;
        pool.known[i] = (struct known_line){.line = line, .set = NO_SET};
    }
}

/* The line that a set loses to the next one, or NULL while it has an empty way. */
static struct known_line *pool_oldest(uint32_t set, uint32_t ways)
{
    struct known_line *oldest = NULL;
    uint32_t held = 0;
    for (uint32_t i = 0; i < pool.count; i++) {
        struct known_line *k = &pool.known[i];
        if (!k->here || k->set != set)
            continue;
        held++;
        if (oldest == NULL || k->used < oldest->used)
            oldest = k;
    }
    return held == ways ? oldest : NULL;
}

static void assert_content(const struct cache_line *got, const struct cache_line *want)
{
    assert_true(got->line == want->line);
    assert_int_equal(got->partial, want->partial);
    assert_int_equal(got->on_its_way, want->on_its_way);
    assert_int_equal(got->valid, want->valid);
    assert_int_equal(got->dirty, want->dirty);
    assert_int_equal(got->site, want->site);
}

static void change_content(struct random_bits *random, struct known_line *k, struct cache_line *at)
{
    at->valid = random_below(random, 16) & 15;
    at->dirty = random_below(random, 16) & 15;
    at->partial = random_below(random, 16) & 15;
    at->on_its_way = random_below(random, 2) & 1;
    at->site = (uint16_t)random_next(random);
    k->content = *at;
}

static uint32_t set_at(const struct cache *cache, const struct cache_line *at)
{
    return (uint32_t)((size_t)(at - cache->lines) / cache->ways);
}

static void check_find(struct cache *cache, struct known_line *k)
{
    struct cache_line *at = cache_find(cache, k->line);
    assert_int_equal(at != NULL, k->here);
    if (at == NULL)
        return;
    assert_content(at, &k->content);
    k->used = ++pool.now;
}

static void check_new_line(const struct cache *cache, struct known_line *k,
                           const struct cache_line *at, const struct cache_line *evicted)
{
    const struct cache_line blank = {.line = k->line};
    uint32_t set = set_at(cache, at);
    assert_true(k->set == NO_SET || k->set == set);
    k->set = set;
    assert_content(at, &blank);
    struct known_line *oldest = pool_oldest(set, cache->ways);
    if (oldest == NULL) {
        assert_true(evicted->line == CACHE_NO_LINE);
        return;
    }
    assert_content(evicted, &oldest->content);
    oldest->here = false;
}

static void check_claim(struct random_bits *random, struct cache *cache, struct known_line *k)
{
    struct cache_line evicted = {.line = 12345};
    struct cache_line *at = cache_claim(cache, k->line, &evicted);
    assert_non_null(at);
    if (k->here) {
        assert_true(evicted.line == CACHE_NO_LINE);
        assert_content(at, &k->content);
        assert_int_equal(set_at(cache, at), k->set);
    } else {
        check_new_line(cache, k, at, &evicted);
    }
    k->here = true;
    k->used = ++pool.now;
    change_content(random, k, at);
}

/* Mostly lines that were in play a moment ago, so that hits and misses are both frequent. */
static struct known_line *draw_line(struct random_bits *random, uint32_t step)
{
    if (random_below(random, 100) < 70)
        return &pool.known[(step / 8 + random_below(random, pool.count / 3 + 1)) % pool.count];
    return &pool.known[random_below(random, pool.count)];
}

static void lines_and_contents_equal_those_of_an_lru_list(void **state)
{
    (void)state;
    for (uint32_t g = 0; g < GEOMETRIES; g++) {
        struct random_bits random = random_start(seed, g);
        struct cache cache;
        assert_true(
            cache_init(&cache, geometries[g].bytes, geometries[g].ways, geometries[g].hashed, 64));
        pool_fill(&random, 3 * cache.sets * cache.ways + 2);
        for (uint32_t step = 0; step < STEPS; step++) {
            struct known_line *k = draw_line(&random, step);
            if (random_below(&random, 100) < 30)
                check_find(&cache, k);
            else
                check_claim(&random, &cache, k);
        }
        for (uint32_t i = 0; i < pool.count; i++)
            check_find(&cache, &pool.known[i]);
        cache_free(&cache);
    }
}

static void size_is_rounded_down_to_whole_sets(void **state)
{
    (void)state;
    for (uint32_t g = 0; g < GEOMETRIES; g++) {
        struct cache cache;
        assert_true(
            cache_init(&cache, geometries[g].bytes, geometries[g].ways, geometries[g].hashed, 64));
        assert_int_equal(cache.sets, geometries[g].sets_want);
        assert_int_equal(cache.ways, geometries[g].ways_want);
        cache_free(&cache);
    }
}

static void clear_forgets_dirty_lines_too(void **state)
{
    (void)state;
    struct cache cache;
    struct cache_line evicted;
    assert_true(cache_init(&cache, 3 * 5 * 128, 3, true, 64));
    for (uint32_t line = 0; line < 40; line++)
        cache_claim(&cache, line, &evicted)->dirty = 15;
    cache_clear(&cache);
    for (uint32_t line = 0; line < 40; line++)
        assert_null(cache_find(&cache, line));
    for (uint32_t line = 100; line < 103; line++) {
        assert_int_equal(cache_claim(&cache, line, &evicted)->dirty, 0);
        assert_true(evicted.line == CACHE_NO_LINE);
    }
    cache_free(&cache);
}

/* Without a hash, a power of two of sets: neighbours in neighbouring sets, whatever is above. */
static void linear_sets_are_line_modulo_sets(void **state)
{
    (void)state;
    struct random_bits random = random_start(seed, 100);
    struct cache cache;
    struct cache_line evicted;
    assert_true(cache_init(&cache, 64 * 4 * 128, 4, false, 64));
    for (int i = 0; i < 1000; i++) {
        uint32_t line = (uint32_t)(random_next(&random) >> 33);
        assert_int_equal(set_at(&cache, cache_claim(&cache, line, &evicted)), line % 64);
    }
    cache_free(&cache);
}

static uint32_t most_in_a_set(struct cache *cache, uint32_t lines, uint64_t stride)
{
    uint32_t held[64] = {0}, most = 0;
    struct cache_line evicted;
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t set = set_at(cache, cache_claim(cache, (uint32_t)(i * stride), &evicted));
        held[set]++;
        most = held[set] > most ? held[set] : most;
    }
    return most;
}

/* 16 lines a set on average; strides that put all of them in one linear set. */
static void hashed_sets_are_even_for_strides(void **state)
{
    (void)state;
    for (uint32_t sets = 48; sets <= 64; sets += 16) {
        struct cache cache;
        assert_true(cache_init(&cache, (uint64_t)sets * 16 * 128, 16, true, 64));
        assert_int_equal(cache.sets, sets);
        for (uint64_t stride = 1; stride <= 1 << 20; stride *= 2) {
            assert_in_range(most_in_a_set(&cache, 16 * sets, stride), 16, 32);
            assert_in_range(most_in_a_set(&cache, 16 * sets, sets * stride), 16, 32);
        }
        cache_free(&cache);
    }
}

static uint32_t count_hits(uint64_t sets, uint32_t ways, uint64_t run)
{
    struct random_bits random = random_start(seed, run);
    struct cache cache;
    struct cache_line evicted;
    uint32_t hits = 0;
    assert_true(cache_init(&cache, sets * ways * 128, ways, run % 2 == 1, 64));
    for (int i = 0; i < 2000; i++) {
        uint32_t line = (uint32_t)random_below(&random, 30 * sets);
        hits += cache_find(&cache, line) != NULL;
        cache_claim(&cache, line, &evicted);
    }
    cache_free(&cache);
    return hits;
}

/* LRU keeps the lines of fewer ways among those of more, set by set. */
static void more_ways_never_hit_less(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 6; run++) {
        uint32_t last = 0;
        for (uint32_t ways = 1; ways <= 32; ways++) {
            uint32_t hits = count_hits(run + 1, ways, run);
            assert_true(hits >= last);
            last = hits;
        }
        assert_true(last > 1000);
    }
}

/* 512 GB and more: numbers are shared, and none is the one that stands for no line. */
static void every_address_has_the_number_of_a_line(void **state)
{
    (void)state;
    assert_int_equal(cache_line_number(7), 7);
    assert_int_equal(cache_line_number(UINT64_C(0x300000007)), 4);
    assert_int_equal(cache_line_number(CACHE_NO_LINE - 1), CACHE_NO_LINE - 1);
    assert_int_equal(cache_line_number(CACHE_NO_LINE), 0);
    assert_int_equal(cache_line_number(UINT64_C(0x1fffffffe)), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_rounded_down_to_whole_sets),
        cmocka_unit_test(lines_and_contents_equal_those_of_an_lru_list),
        cmocka_unit_test(clear_forgets_dirty_lines_too),
        cmocka_unit_test(linear_sets_are_line_modulo_sets),
        cmocka_unit_test(hashed_sets_are_even_for_strides),
        cmocka_unit_test(more_ways_never_hit_less),
        cmocka_unit_test(every_address_has_the_number_of_a_line),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d steps a geometry\n", seed, (int)STEPS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
