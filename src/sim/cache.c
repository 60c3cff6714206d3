/* cache.c - lookup, LRU by move-to-front, replacement.
 *
 * A set's tags are one array in the order of use with the way in the low bits, so that a hit on the
 * line used last, the common case, compares one word, and the lines' contents never move.
 */
#include "sim/cache.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bits_for(uint32_t count)
{
    uint32_t bits = 0;
    while (1U << bits < count)
        bits++;
    return bits;
}

bool cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, bool hashed)
{
    uint64_t lines = bytes / 128;
    *cache = (struct cache){.hashed = hashed};
    cache->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    cache->sets = (uint32_t)(lines / cache->ways);
    cache->sets += cache->sets == 0;
    cache->way_bits = bits_for(cache->ways);
    size_t count = (size_t)cache->sets * cache->ways;
    cache->lines = malloc(count * sizeof *cache->lines);
    cache->order = malloc(count * sizeof *cache->order);
    if (cache->lines == NULL || cache->order == NULL) {
        cache_free(cache);
        return false;
    }
    cache_clear(cache);
    return true;
}

void cache_free(struct cache *cache)
{
    free(cache->lines);
    free(cache->order);
    cache->lines = NULL;
    cache->order = NULL;
}

void cache_clear(struct cache *cache)
{
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++) {
        cache->lines[i] = (struct cache_line){.line = CACHE_NO_LINE};
        cache->order[i] = ~(uint64_t)0 << cache->way_bits | i % cache->ways;
    }
}

/* The set: the high half of a product, no division (Lemire, "Fast random integer generation in an
 * interval", 2019). Linear sets of a power of two take the lowest bits; any other number is as a
 * hash. */
static inline uint32_t set_of(const struct cache *cache, uint64_t line)
{
    if (!cache->hashed && (cache->sets & (cache->sets - 1)) == 0)
        return (uint32_t)line & (cache->sets - 1);
    uint32_t mixed = (uint32_t)((line * 0x9e3779b97f4a7c15ULL) >> 32);
    return (uint32_t)((uint64_t)mixed * cache->sets >> 32);
}

/* Moves entry i of a set to the front; the way it stands for. */
static inline uint32_t to_front(const struct cache *cache, uint64_t *order, uint32_t i)
{
    uint64_t entry = order[i];
    for (; i > 0; i--)
        order[i] = order[i - 1];
    order[0] = entry;
    return (uint32_t)entry & ((1U << cache->way_bits) - 1);
}

static inline uint32_t search(const struct cache *cache, const uint64_t *order, uint64_t line)
{
    uint32_t i = 0;
    while (i < cache->ways && order[i] >> cache->way_bits != line)
        i++;
    return i;
}

struct cache_line *cache_find(struct cache *cache, uint64_t line)
{
    size_t first = (size_t)set_of(cache, line) * cache->ways;
    uint64_t *order = &cache->order[first];
    uint32_t i = search(cache, order, line);
    return i == cache->ways ? NULL : &cache->lines[first + to_front(cache, order, i)];
}

struct cache_line *cache_claim(struct cache *cache, uint64_t line, struct cache_line *evicted)
{
    size_t first = (size_t)set_of(cache, line) * cache->ways;
    uint64_t *order = &cache->order[first];
    uint32_t i = search(cache, order, line);
    evicted->line = CACHE_NO_LINE;
    if (i < cache->ways)
        return &cache->lines[first + to_front(cache, order, i)];
    uint32_t way = to_front(cache, order, cache->ways - 1); /* the least recently used */
    struct cache_line *at = &cache->lines[first + way];
    *evicted = *at;
    *at = (struct cache_line){.line = line};
    order[0] = line << cache->way_bits | way;
    return at;
}
