/* cache.c - lookup, LRU by move-to-front, replacement, the table of fills. */
#include "sim/time/cache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/time/ticks.h"

enum { BITS_SETS = 512, BITS_LOG2 = 9 };

/* What the bits of a line's number from 9 on, nine at a time, add to the set that the lowest nine name. Found on an H200 by 6,000 lines of 16
 * GB that share a set with a first one: they are all sums of 18 of them. Which number a set has does not show. */
#define ADDS(bits, i, set) ((bits) >> (i)&1 ? (set) : 0)
#define ADDED(bits, a, b, c, d, e, f, g, h, i)                                                     \
    (ADDS(bits, 0, a) ^ ADDS(bits, 1, b) ^ ADDS(bits, 2, c) ^ ADDS(bits, 3, d) ^                   \
     ADDS(bits, 4, e) ^ ADDS(bits, 5, f) ^ ADDS(bits, 6, g) ^ ADDS(bits, 7, h) ^ ADDS(bits, 8, i))
#define BITS_9_TO_17(bits)                                                                         \
    ADDED(bits, 0x071, 0x01b, 0x176, 0x149, 0x039, 0x1e1, 0x1dd, 0x0ee, 0x194)
#define BITS_18_TO_26(bits)                                                                        \
    ADDED(bits, 0x08d, 0x1ac, 0x0f4, 0x12f, 0x082, 0x0f0, 0x115, 0x1fc, 0x15f)
#define OF_8(of, bits)                                                                             \
    of(bits), of(bits + 1), of(bits + 2), of(bits + 3), of(bits + 4), of(bits + 5), of(bits + 6),  \
        of(bits + 7)
#define OF_64(of, bits)                                                                            \
    OF_8(of, bits), OF_8(of, bits + 8), OF_8(of, bits + 16), OF_8(of, bits + 24),                  \
        OF_8(of, bits + 32), OF_8(of, bits + 40), OF_8(of, bits + 48), OF_8(of, bits + 56)
#define OF_512(of)                                                                                 \
    OF_64(of, 0), OF_64(of, 64), OF_64(of, 128), OF_64(of, 192), OF_64(of, 256), OF_64(of, 320),   \
        OF_64(of, 384), OF_64(of, 448)
static const uint16_t sets_of_bits[2][BITS_SETS] = {{OF_512(BITS_9_TO_17)},
                                                    {OF_512(BITS_18_TO_26)}};

bool cache_init_with_room(struct cache *cache, uint32_t most, uint32_t ways)
{
    if (!cache_init(cache, (uint64_t)BITS_SETS * ways * LINE_BYTES, ways, CACHE_HASHED_BITS, 0))
        return false;
    cache->most = cache->room = most;
    return true;
}

bool cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, enum cache_sets hash,
                uint32_t fills)
{
    uint64_t lines = bytes / LINE_BYTES;
    *cache = (struct cache){.hash = hash, .fill_mask = fills - 1};
    cache->ways = lines < ways ? (lines ? (uint32_t)lines : 1) : ways;
    cache->sets = (uint32_t)(lines / cache->ways);
    cache->sets += cache->sets == 0;
    cache->inverse = UINT32_MAX / cache->sets + 1ULL;
    cache->most = cache->sets * cache->ways;
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
    cache->room = cache->most;
    cache->turn = 1;
}

/* The set. Hashed: lines are numbered in runs as long as there are sets, a run goes to all sets once,
 * begun at a set that a hash of its number picks. So consecutive lines fill the cache to the last way,
 * as walks through the L1 of an H200 do, and no power of two camps. It also keeps neighbours together
 * in this computer's caches: 1.5 times as fast on strided accesses as a hash of the line. */
static inline uint32_t set_of(const struct cache *cache, uint32_t line)
{
    if (cache->hash == CACHE_HASHED_BITS)
        return (line ^ sets_of_bits[0][line >> BITS_LOG2 & (BITS_SETS - 1)] ^
                sets_of_bits[1][line >> 2 * BITS_LOG2 & (BITS_SETS - 1)]) &
               (BITS_SETS - 1);
    if (cache->hash == CACHE_MODULO && (cache->sets & (cache->sets - 1)) == 0)
        return line & (cache->sets - 1);
    uint32_t run = (uint32_t)((uint64_t)line * cache->inverse >> 32); /* or one too many */
    uint32_t set = line - run * cache->sets;
    if (set >= cache->sets) {
        run--;
        set += cache->sets;
    }
    if (cache->hash == CACHE_MODULO)
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

/* The least recently used line of the next set that has one, gone from it: sets come by turns of a shift register of nine bits, as
 * walks of more lines than there is room for show on an H200 by 511 misses a round. */
static struct cache_line take_from_some_set(struct cache *cache)
{
    struct cache_line *set;
    do {
        cache->turn = cache->turn >> 1 ^ (cache->turn & 1 ? 0x110 : 0);
        set = &cache->lines[(size_t)cache->turn * cache->ways];
    } while (set[0].line == CACHE_NO_LINE);
    uint32_t last = cache->ways - 1;
    while (set[last].line == CACHE_NO_LINE)
        last--;
    const struct cache_line taken = set[last];
    set[last].line = CACHE_NO_LINE;
    return taken;
}

struct cache_line *cache_claim(struct cache *cache, uint32_t line, struct cache_line *evicted)
{
    struct cache_line *set = first_way(cache, line);
    uint32_t i = search(set, cache->ways, line);
    evicted->line = CACHE_NO_LINE;
    if (i < cache->ways)
        return use(set, i);
    *evicted = set[cache->ways - 1]; /* the least recently used */
    if (evicted->line == CACHE_NO_LINE && cache->room == 0)
        *evicted = take_from_some_set(cache);
    else
        cache->room -= evicted->line == CACHE_NO_LINE;
    move_back(set, cache->ways - 1);
    set[0] = (struct cache_line){.line = line};
    return set;
}

/* Sets are cleaned in runs of a hundredth of them or so, from where a hash says: lines of one row of DRAM go one after another, and yet no set is
 * sure to be next. */
static struct cache_line *next_to_clean(struct cache *cache)
{
    const uint32_t run_log2 = 24U - (uint32_t)__builtin_clz(cache->sets | 128);
    const uint32_t turn = cache->turn++;
    uint32_t run = ((turn >> run_log2) + 1) * 0x9e3779b1U;
    run = (run ^ run >> 15) * 0x85ebca77U;
    const uint64_t first = (uint64_t)(run ^ run >> 13) * cache->sets >> 32;
    const uint64_t set = first + (turn & ((1U << run_log2) - 1));
    return &cache->lines[(size_t)(set < cache->sets ? set : set - cache->sets) * cache->ways];
}

struct cache_line *cache_next_waiting(struct cache *cache, bool partial)
{
    for (;;) {
        struct cache_line *set = next_to_clean(cache);
        for (uint32_t i = cache->ways; i-- > 0;)
            if (set[i].line != CACHE_NO_LINE && (partial ? set[i].partial : set[i].dirty))
                return &set[i];
    }
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
