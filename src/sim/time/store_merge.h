/* store_merge.h - the stores that an SM holds back for a moment: a later store to the same line goes
 * along with an earlier one, and L2 gets each sector once.
 *
 * Seen on an H200: three stores that fill a struct of floats send each sector once instead of three
 * times; neighbouring warps' shares of a sector are sent together in a third of the cases. A line
 * leaves when its time is over, or when there is no room for another.
 */
#ifndef WARPLENS_SIM_TIME_STORE_MERGE_H
#define WARPLENS_SIM_TIME_STORE_MERGE_H

#include "sim/time/memsys.h"

enum { STORE_MERGE_LINES = 64 }; /* a power of two */

struct store_merge {
    uint64_t ticks; /* how long a store is held; 0: not at all */
    uint32_t first, count;
    uint64_t until[STORE_MERGE_LINES]; /* a ring */
    struct memsys_request held[STORE_MERGE_LINES];
};

/* Adds the store to one that is held; *again: the sectors that both have. False when there is none of
 * its line. */
bool store_merge_join(struct store_merge *merge, const struct memsys_request *store,
                      uint32_t *again);

/* Holds a store that joined none; there must be room. */
void store_merge_hold(struct store_merge *merge, const struct memsys_request *store, uint64_t now);

/* The oldest whose time is over, or any when there is no room: to be sent. False when there is none. */
bool store_merge_due(struct store_merge *merge, uint64_t now, struct memsys_request *out);

/* The oldest, to be sent; false when none is held. */
bool store_merge_take(struct store_merge *merge, struct memsys_request *out);

/* Whether a store to the line is held. */
bool store_merge_holds(const struct store_merge *merge, uint32_t line);

#endif
