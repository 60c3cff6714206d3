/* keyset.h - at most 32 distinct keys (segments, lines, words), numbered in the order of arrival.
 * Internal to the rule functions (coalesce, banks, l1stage).
 *
 * Most warps touch few segments, and neighbouring lanes touch the same one: the last key is tried
 * first. What misses it goes to an open-addressed table on the stack, which an ordered access never
 * needs. The table has 8 slots a key so that probing rarely branches the wrong way: against a
 * linear search of the keys, 32 random addresses take a third of the time.
 */
#ifndef WARPLENS_SIM_KEYSET_H
#define WARPLENS_SIM_KEYSET_H

#include "sim/lanes.h"

#include <string.h>

enum { KEY_SLOTS_LOG2 = 8, KEY_SLOTS = 1 << KEY_SLOTS_LOG2 };

struct key_set {
    uint32_t count;
    uint32_t last; /* number of the key looked up last */
    bool ordered;  /* keys come in order: one that differs from the last is new */
    uint64_t key[WARP_LANES];
    uint8_t slot[KEY_SLOTS]; /* 1 + number of a key, 0 = free; not initialised when ordered */
};

/* Leaves the key array as it is: `count` says how much of it counts. */
static inline void key_set_clear(struct key_set *set, bool ordered)
{
    set->count = 0;
    set->last = 0;
    set->ordered = ordered;
    if (!ordered)
        memset(set->slot, 0, sizeof set->slot);
}

static inline uint32_t key_set_append(struct key_set *set, uint64_t key)
{
    set->key[set->count] = key;
    set->last = set->count;
    return set->count++;
}

/* The key's number; equal to the count before the call when the key is new. */
static inline uint32_t key_set_add(struct key_set *set, uint64_t key)
{
    if (set->count != 0 && set->key[set->last] == key)
        return set->last;
    if (set->ordered)
        return key_set_append(set, key);
    /* Multiplying by 2^64 / golden ratio spreads strides of any size over the top bits. */
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEY_SLOTS_LOG2));
    while (set->slot[at] != 0) {
        uint32_t found = set->slot[at] - 1U;
        if (set->key[found] == key)
            return set->last = found;
        at = (at + 1) % KEY_SLOTS;
    }
    set->slot[at] = (uint8_t)(set->count + 1);
    return key_set_append(set, key);
}

/* The number of distinct addresses among some lanes of an access. */
static inline uint32_t key_set_count_addresses(const struct warp_access *a, uint32_t lanes)
{
    struct key_set set;
    key_set_clear(&set, access_is_ordered(a));
    for (; lanes != 0; lanes &= lanes - 1)
        key_set_add(&set, access_addr(a, lanes_lowest(lanes)));
    return set.count;
}

#endif
