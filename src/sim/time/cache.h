/* cache.h - a set-associative cache of 128-byte lines in four sectors, with LRU replacement.
 *
 * One type for the L1, the read-only, the constant cache and the L2: what they differ in is size,
 * ways and how a line finds its set. A line is 8 bytes, so that a set of 16 ways is two cache lines
 * of the computer that runs the model: with 24 bytes a line the model took nearly twice as long.
 *
 * When a fill arrives is kept apart, for the lines that are on their way: a table in which a later
 * fill may take the place of an earlier one, which then counts as arrived.
 */
#ifndef WARPLENS_SIM_TIME_CACHE_H
#define WARPLENS_SIM_TIME_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/rules/sectors.h"

struct cache_line {
    uint32_t line;               /* address / 128; CACHE_NO_LINE when the way is empty */
    unsigned int site : 16;      /* of the last store to it */
    unsigned int valid : 4;      /* sectors that are here or on their way */
    unsigned int dirty : 4;      /* sectors to be written back */
    unsigned int partial : 4;    /* dirty sectors of which bytes are missing */
    unsigned int on_its_way : 1; /* the table of fills may know when it arrives */
};

/* Lines are numbered below this: 512 GB of addresses. */
#define CACHE_NO_LINE UINT32_MAX

struct cache_fill {
    uint32_t line, cycle; /* the cycle's lowest 32 bits: fills are compared while they are recent */
};

/* How a line finds its set, as the field l1_hashed numbers it: by its number modulo the sets; turned by a hash of its number divided by them; or by
 * the exclusive ors of bits that an H100 and an H200 take, for 512 sets. */
enum cache_sets { CACHE_MODULO, CACHE_HASHED_RUNS, CACHE_HASHED_BITS };

struct cache {
    struct cache_line *lines; /* by set: most recently used first */
    struct cache_fill *fills; /* looked at for lines on their way alone: never cleared */
    uint32_t sets, ways;
    uint64_t inverse;    /* 2^32 / sets, rounded up */
    uint32_t fill_mask;  /* size of the table of fills - 1 */
    uint32_t most, room; /* lines there can be at a time, and how many more there can be now */
    uint32_t turn; /* picks the set that gives a line away, without room, or that is cleaned */
    enum cache_sets hash;
};

/* An empty cache of about `bytes` (rounded down to whole sets, at least one). False when memory is
 * short. `fills`: how many lines can be on their way at a time, about; a power of two; 0: the caller keeps them. */
bool cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, enum cache_sets hash,
                uint32_t fills);

/* An empty cache whose sets are CACHE_HASHED_BITS and that holds `most` lines at a time, 1 or more, however many fit its sets: without
 * room a line that finds an empty way takes the room of the least recently used line of some other set. */
bool cache_init_with_room(struct cache *cache, uint32_t most, uint32_t ways);
void cache_free(struct cache *cache);

/* Forgets every line, dirty ones included. */
void cache_clear(struct cache *cache);

/* The line, most recently used from now on, or NULL. It stays where it is until the next call. */
struct cache_line *cache_find(struct cache *cache, uint32_t line);

/* The line, made room for when it is not there: *evicted gets what was in its place (line is
 * CACHE_NO_LINE when the way was empty, or when the line was found). */
struct cache_line *cache_claim(struct cache *cache, uint32_t line, struct cache_line *evicted);

/* Of the next set that has one, sets come in turn, the dirty line (`partial`: with partial sectors) that was not used for longest. There must be one. */
struct cache_line *cache_next_waiting(struct cache *cache, bool partial);

/* Notes that sectors of the line arrive at `ticks`. */
void cache_note_fill(struct cache *cache, struct cache_line *line, uint64_t ticks);

/* When the last fill of the line arrives, if that is after `now`; otherwise `now`. */
uint64_t cache_filled(const struct cache *cache, struct cache_line *line, uint64_t now);

/* The place of a line in a table of fills. Neighbours stay neighbours, in this computer's caches too; lines far
 * apart are mixed. */
static inline uint32_t cache_fill_place(uint32_t line, uint32_t mask)
{
    return (line ^ (line >> 11) * 0x9e3779b8U) & mask;
}

/* The line's set, by its number. */
uint32_t cache_set(const struct cache *cache, uint32_t line);

/* Has this computer fetch a set, or the line's, to be asked for soon. */
static inline void cache_prefetch_set(const struct cache *cache, uint32_t set)
{
    const struct cache_line *first = &cache->lines[(size_t)set * cache->ways];
    __builtin_prefetch(first);
    if (cache->ways > 8)
        __builtin_prefetch(first + 8);
}
static inline void cache_prefetch(const struct cache *cache, uint32_t line)
{
    cache_prefetch_set(cache, cache_set(cache, line));
}

/* The number of a line by its address: lines beyond 512 GB share numbers with others. */
static inline uint32_t cache_line_number(uint64_t line)
{
    return (uint32_t)(line ^ line >> 32) == CACHE_NO_LINE ? 0 : (uint32_t)(line ^ line >> 32);
}

#endif
