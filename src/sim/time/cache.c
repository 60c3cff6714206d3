/* cache.c - lookup, LRU by move-to-front, replacement, the table of fills. */
#include "sim/time/cache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/time/ticks.h"

bool cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, bool hashed, uint32_t fills)
{
    uint64_t lines = bytes / LINE_BYTES;
    *cache = (struct cache){.hashed = hashed, .fill_mask = fills - 1};
    cache->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    cache->sets = (uint32_t)(lines / cache->ways);
    cache->sets += cache->sets == 0;
    cache->inverse = UINT32_MAX / cache->sets + 1ULL;
    cache->lines = malloc((size_t)cache->sets * cache->ways * sizeof *cache->lines);
    cache->fills = calloc(fills + 1, sizeof *cache->fills);
    if (cache->lines == NULL || cache->fills == NULL) {
        cache_free(cache);
        return false;
    }
    cache_clear(cache);
    return true;
}

void cache_free(struct cache *cache)
{
    free(cache->lines);
    free(cache->fills);
    cache->lines = NULL;
    cache->fills = NULL;
}

void cache_clear(struct cache *cache)
{
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++)
        cache->lines[i] = (struct cache_line){.line = CACHE_NO_LINE};
}

/* The set. Hashed: lines are numbered in runs as long as there are sets, a run goes to all sets once,
 * begun at a set that a hash of its number picks. So consecutive lines fill the cache to the last way,
 * as walks through the L1 of an H200 do, and no power of two camps. It also keeps neighbours together
 * in this computer's caches: 1.5 times as fast on strided accesses as a hash of the line. */
static inline uint32_t set_of(const struct cache *cache, uint32_t line)
{
    if (!cache->hashed && (cache->sets & (cache->sets - 1)) == 0)
        return line & (cache->sets - 1);
    uint32_t run = (uint32_t)((uint64_t)line * cache->inverse >> 32); /* or one too many */
    uint32_t set = line - run * cache->sets;
    if (set >= cache->sets) {
        run--;
        set += cache->sets;
    }
    if (!cache->hashed)
        return set;
    uint32_t mixed = (uint32_t)((run * 0x9e3779b97f4a7c15ULL) >> 32);
    set += (uint32_t)((uint64_t)mixed * cache->sets >> 32);
    return set < cache->sets ? set : set - cache->sets;
}

static inline struct cache_line *first_way(const struct cache *cache, uint32_t line)
{
    return &cache->lines[(size_t)set_of(cache, line) * cache->ways];
}

static inline uint32_t search(const struct cache_line *set, uint32_t ways, uint32_t line)
{
    uint32_t i = 0;
    while (i + 4 <= ways) { /* four at a time: a miss looks at all of them */
        if (set[i].line == line)
            return i;
        if (set[i + 1].line == line)
            return i + 1;
        if (set[i + 2].line == line)
            return i + 2;
        if (set[i + 3].line == line)
            return i + 3;
        i += 4;
    }
    while (i < ways && set[i].line != line)
        i++;
    return i;
}

/* Moves the ways before i one back, to make room at the front. */
static inline void move_back(struct cache_line *set, uint32_t i)
{
    if (i > 3) /* a call pays from some ways on: two fifths fewer instructions for a miss in 16 */
        memmove(set + 1, set, i * sizeof *set);
    else
        for (; i > 0; i--)
            set[i] = set[i - 1];
}

static inline struct cache_line *use(struct cache_line *set, uint32_t i)
{
    if (i > 0) {
        struct cache_line found = set[i];
        move_back(set, i);
        set[0] = found;
    }
    return set;
}

struct cache_line *cache_find(struct cache *cache, uint32_t line)
{
    struct cache_line *set = first_way(cache, line);
    uint32_t i = search(set, cache->ways, line);
    return i == cache->ways ? NULL : use(set, i);
}

struct cache_line *cache_claim(struct cache *cache, uint32_t line, struct cache_line *evicted)
{
    struct cache_line *set = first_way(cache, line);
    uint32_t i = search(set, cache->ways, line);
    evicted->line = CACHE_NO_LINE;
    if (i < cache->ways)
        return use(set, i);
    *evicted = set[cache->ways - 1]; /* the least recently used */
    move_back(set, cache->ways - 1);
    set[0] = (struct cache_line){.line = line};
    return set;
}

struct cache_line *cache_excess_dirty(const struct cache *cache, uint32_t line, uint32_t most,
                                      bool partial)
{
    struct cache_line *set = first_way(cache, line), *last = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cache->ways; i++) {
        bool counts = partial ? set[i].partial != 0 : set[i].dirty != 0;
        count += counts;
        if (counts)
            last = &set[i];
    }
    return count > most ? last : NULL;
}

static inline struct cache_fill *fill_of(const struct cache *cache, uint32_t line)
{
    return &cache->fills[cache_fill_place(line, cache->fill_mask)];
}

void cache_note_fill(struct cache *cache, struct cache_line *line, uint64_t ticks)
{
    struct cache_fill *fill = fill_of(cache, line->line);
    uint32_t cycle = (uint32_t)((ticks + TICKS_PER_CYCLE - 1) >> TICKS_LOG2);
    if (line->on_its_way && fill->line == line->line && (int32_t)(fill->cycle - cycle) > 0)
        return;
    *fill = (struct cache_fill){line->line, cycle};
    line->on_its_way = 1;
}

uint64_t cache_filled(const struct cache *cache, struct cache_line *line, uint64_t now)
{
    if (!line->on_its_way)
        return now;
    const struct cache_fill *fill = fill_of(cache, line->line);
    int32_t cycles = (int32_t)(fill->cycle - (uint32_t)(now >> TICKS_LOG2));
    if (fill->line == line->line && cycles > 0)
        return ((now >> TICKS_LOG2) + (uint32_t)cycles) << TICKS_LOG2;
    line->on_its_way = 0;
    return now;
}

uint32_t cache_set(const struct cache *cache, uint32_t line)
{
    return set_of(cache, line);
}
