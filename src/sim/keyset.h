/* keyset.h - at most 32 distinct keys (segments, lines, words), numbered in the order of arrival.
 * Internal to the rule functions (coalesce, banks, l1stage).
 *
 * Most warps touch few segments and neighbouring lanes touch the same one, so the last key is tried
 * first. What misses it goes to an open-addressed table on the stack, which an ordered access never
 * needs. With 32 random addresses the table takes a quarter of the time of a linear search; its 8
 * slots a key make a second probe rare.
 */
#ifndef WARPLENS_SIM_KEYSET_H
#define WARPLENS_SIM_KEYSET_H

#include "sim/lanes.h"

#include <string.h>

enum { KEY_SLOTS_LOG2 = 8, KEY_SLOTS = 1 << KEY_SLOTS_LOG2, KEY_SLOT_BLOCK = 64 };

struct key_table {
    uint64_t key[WARP_LANES];
    uint8_t slot[KEY_SLOTS]; /* 1 + number of a key, 0 = free */
};

/* Kept apart from the table, whose address escapes, so that it lives in registers. */
struct key_set {
    struct key_table *table;
    uint64_t last_key; /* key looked up last, and its number */
    uint32_t last;
    uint32_t count;
    bool ordered; /* keys come in order: one that differs from the last is new */
};

/* An empty set; the table is not touched when ordered. */
static inline struct key_set key_set_start(struct key_table *table, bool ordered)
{
    /* In blocks: gcc clears 256 bytes at once by a string instruction, and a lookup of 32 random
     * addresses then takes 1.3 times as long. */
    for (uint32_t at = 0; at < KEY_SLOTS && !ordered; at += KEY_SLOT_BLOCK)
        memset(table->slot + at, 0, KEY_SLOT_BLOCK);
    return (struct key_set){.table = table, .ordered = ordered};
}

/* The number of a key in the table; the given count when it is new, and it is then entered. */
static inline uint32_t key_table_enter(struct key_table *table, uint64_t key, uint32_t count)
{
    /* Multiplying by 2^64 / golden ratio spreads strides of any size over the top bits. */
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEY_SLOTS_LOG2));
    for (; table->slot[at] != 0; at = (at + 1) % KEY_SLOTS) {
        uint32_t number = table->slot[at] - 1U;
        if (table->key[number] == key)
            return number;
    }
    table->key[count] = key;
    table->slot[at] = (uint8_t)(count + 1);
    return count;
}

/* The key's number; equal to the count before the call when the key is new. */
static inline uint32_t key_set_add(struct key_set *set, uint64_t key)
{
    if (set->count != 0 && key == set->last_key)
        return set->last;
    set->last_key = key;
    set->last = set->ordered ? set->count : key_table_enter(set->table, key, set->count);
    set->count += set->last == set->count;
    return set->last;
}

/* The number of distinct addresses among some lanes of an access. */
static inline uint32_t key_set_count_addresses(const struct warp_access *a, uint32_t lanes)
{
    struct key_table table;
    struct key_set set = key_set_start(&table, access_is_ordered(a));
    for (; lanes != 0; lanes &= lanes - 1)
        key_set_add(&set, access_addr(a, lanes_lowest(lanes)));
    return set.count;
}

#endif
