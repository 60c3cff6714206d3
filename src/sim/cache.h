/* cache.h - a set-associative cache of 128-byte lines in four sectors, with LRU replacement.
 *
 * One type for the L1, the read-only, the constant cache and the slices of the L2: what they differ
 * in is size, ways and how a line finds its set. Nothing here knows time: lines carry the time at
 * which their last fill arrives for the caller to compare.
 */
#ifndef WARPLENS_SIM_CACHE_H
#define WARPLENS_SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept of a line. */
struct cache_line {
    uint64_t line;    /* address / 128; CACHE_NO_LINE when the way is empty */
    uint64_t filled;  /* ticks: when the last sector asked for arrives */
    uint32_t written; /* bit w: 4-byte word w was written since the line came here */
    uint8_t valid;    /* sectors that are here or on their way */
    uint8_t dirty;    /* low half: sectors to be written back; high half: those of which bytes are
                         missing, since they were written in part and never read */
    uint16_t site;    /* of the last store to the line */
};

#define CACHE_NO_LINE UINT64_MAX

struct cache {
    struct cache_line *lines; /* ways of set 0, of set 1 ... */
    uint64_t *order;          /* by set: tags, most recently used first, way in the low bits */
    uint32_t sets, ways;
    uint32_t way_bits;
    bool hashed;
};

/* An empty cache of about `bytes` (rounded down to whole sets, at least one). False when memory is
 * short. `hashed` spreads lines over sets by a hash; otherwise by line modulo sets. */
bool cache_init(struct cache *cache, uint64_t bytes, uint32_t ways, bool hashed);
void cache_free(struct cache *cache);

/* Forgets every line, dirty ones included. */
void cache_clear(struct cache *cache);

/* The line, most recently used from now on, or NULL. */
struct cache_line *cache_find(struct cache *cache, uint64_t line);

/* The line, made room for when it is not there: *evicted gets what was in its place (line is
 * CACHE_NO_LINE when the way was empty, or when the line was found). */
struct cache_line *cache_claim(struct cache *cache, uint64_t line, struct cache_line *evicted);

#endif
