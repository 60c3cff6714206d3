/* keyset.h - which lanes of a warp hold equal keys (segments, lines, words).
 * Internal to the rule functions (coalesce, banks, l1stage).
 *
 * Each lane writes its number into a table at the hash of its key, higher lanes first; what is read
 * back is the lowest lane of that hash, the owner. Nothing is searched, nothing needs clearing
 * (only slots just written are read) and nothing branches. Two keys of one hash are noticed because
 * the owner holds another key; the owners of such lanes are then searched for. With 32 random keys
 * in 8192 slots that is one warp in 17. An open-addressed table takes 1.35 times as long with 32
 * random lines.
 */
#ifndef WARPLENS_SIM_RULES_KEYSET_H
#define WARPLENS_SIM_RULES_KEYSET_H

#include "sim/rules/lanes.h"

enum { KEY_SLOTS_LOG2 = 13, KEY_SLOTS = 1 << KEY_SLOTS_LOG2 };

struct key_set {
    uint16_t at[WARP_LANES];   /* slot of the lane's key */
    uint8_t owner[WARP_LANES]; /* the lowest lane with the same key, once they are found */
    uint8_t lane[KEY_SLOTS];   /* the lowest lane with a key of this slot */
};

/* A key for an inactive lane, as long as keys stay below 2^64 - 32. */
static inline uint64_t key_spare(uint32_t lane)
{
    return UINT64_MAX - lane;
}

/* Enters the keys. True when no two can be equal; then each lane is its own owner. */
static inline bool key_set_all_differ(struct key_set *set, const uint64_t key[WARP_LANES])
{
    uint32_t differs = 0;
#pragma GCC unroll 8 /* here and below: 1.2 times as fast where a warp touches many lines */
    for (uint32_t i = WARP_LANES; i-- > 0;) {
        /* Multiplying by 2^64 / golden ratio spreads strides of any size over the top bits. */
        uint64_t hash = key[i] * UINT64_C(0x9e3779b97f4a7c15);
        set->at[i] = (uint16_t)(hash >> (64 - KEY_SLOTS_LOG2));
        set->lane[set->at[i]] = (uint8_t)i;
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < WARP_LANES; i++)
        differs |= set->lane[set->at[i]] ^ i;
    return differs == 0;
}

/* Finds the owner of each key entered; the set of owners. */
static inline uint32_t key_set_find_owners(struct key_set *set, const uint64_t key[WARP_LANES])
{
    uint32_t owners = 0;
    uint64_t differs = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t owner = set->lane[set->at[i]];
        set->owner[i] = (uint8_t)owner;
        owners |= 1U << owner;
        differs |= key[owner] ^ key[i];
    }
    for (uint32_t i = 0; i < WARP_LANES && differs != 0; i++) {
        uint32_t owner = set->owner[i];
        if (key[owner] != key[i])
            for (owner = 0; key[owner] != key[i];)
                owner++;
        set->owner[i] = (uint8_t)owner;
        owners |= 1U << owner;
    }
    return owners;
}

/* The number of distinct keys of the given lanes. */
static inline uint32_t key_set_count(const uint64_t key[WARP_LANES], uint32_t lanes)
{
    struct key_set set;
    if (key_set_all_differ(&set, key))
        return lanes_count(lanes);
    return lanes_count(lanes & key_set_find_owners(&set, key));
}

/* The number of distinct addresses among some lanes of an access. */
static inline uint32_t key_set_count_addresses(const struct warp_access *a, uint32_t lanes)
{
    uint64_t room[WARP_LANES], key[WARP_LANES];
    const uint64_t *addr = access_addresses(a, room);
    if (lanes == UINT32_MAX && access_is_ordered(a))
        return a->stride == 0 ? 1 : WARP_LANES;
    if (lanes == 0)
        return 0;
    /* The lowest lane lends its key to those left out, since with bytes none is spare. */
    uint32_t lowest = lanes_lowest(lanes);
#pragma GCC unroll 4
    for (uint32_t i = 0; i < WARP_LANES; i++)
        key[i] = addr[lanes >> i & 1 ? i : lowest];
    return key_set_count(key, UINT32_MAX);
}

#endif
