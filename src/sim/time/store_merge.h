/* store_merge.h - the stores that an SM holds back for a moment: a later store to the same line goes
 * along with an earlier one, and L2 gets each sector once.
 *
 * Counted on an H200 (validation/h200_store_merges.csv): a line takes what its warp stores within a time, however many other warps
 * store meanwhile, and waits for more until that time is over or its warp stores to other lines. Then it leaves, in its turn, when the
 * way out of the SM is free, and takes what comes until it does.
 */
#ifndef WARPLENS_SIM_TIME_STORE_MERGE_H
#define WARPLENS_SIM_TIME_STORE_MERGE_H

#include "sim/time/memsys.h"

/* Held at most: as counted, more than 16 and less than 32. The ring is a power of two. */
enum { STORE_MERGE_LINES = 24, STORE_MERGE_RING = 32 };

/* Who stores: a warp's number in the SM, that of the access in the SM, and what time it is, in ticks: for all, and for the warp alone, whose
 * clock stands still while others have the SM's units. */
struct store_origin {
    uint64_t now, own;
    uint32_t warp, access;
};

struct store_merge {
    uint64_t
        ticks; /* how long a store takes those of its warp, by the warp's clock; 0: not at all */
    uint64_t longest; /* how long it waits for them, by the clock for all */
    uint32_t first, count;
    uint64_t until[STORE_MERGE_RING]; /* a ring */
    struct store_origin of[STORE_MERGE_RING];
    struct memsys_request held[STORE_MERGE_RING];
};

/* Adds the store to one that is held; *again: the sectors that both have. False when there is none of
 * its line that takes it. */
bool store_merge_join(struct store_merge *merge, const struct memsys_request *store,
                      const struct store_origin *origin, uint32_t *again);

/* Holds a store that joined none; there must be room. What the warp's other accesses have stored waits for no more. */
void store_merge_hold(struct store_merge *merge, const struct memsys_request *store,
                      const struct store_origin *origin);

/* Since when, `now` or before, the oldest waits for no more; UINT64_MAX: it does, or there is none. */
uint64_t store_merge_due(const struct store_merge *merge, uint64_t now);

/* The oldest, to be sent; false when none is held. */
bool store_merge_take(struct store_merge *merge, struct memsys_request *out);

static inline bool store_merge_is_full(const struct store_merge *merge)
{
    return merge->count == STORE_MERGE_LINES;
}

/* Whether a store to the line is held. */
bool store_merge_holds(const struct store_merge *merge, uint32_t line);

#endif
