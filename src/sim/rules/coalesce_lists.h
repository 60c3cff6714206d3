/* coalesce_lists.h - lists of transactions. Pure functions, no state. */
#ifndef WARPLENS_SIM_RULES_COALESCE_LISTS_H
#define WARPLENS_SIM_RULES_COALESCE_LISTS_H

#include "sim/rules/coalesce.h"

/* Appends one transaction for each distinct segment of 2^segment_log2 bytes that the active lanes
 * of each group of lanes touch: by group, then by the lowest lane. Does not update bytes_moved. */
void coalesce_collect(const struct warp_access *a, uint32_t group, uint32_t segment_log2,
                      struct coalesced *out);

/* Atomics: lanes that want one address go one after another. The number of rounds, 1 to 32; `lanes` gets the active lanes of each: the k-th active lane of an
 * address is in round k. */
uint32_t coalesce_rounds(const struct warp_access *a, uint32_t lanes[WARP_LANES]);

/* Whether it is certain that no two lanes want one address. */
static inline bool coalesce_is_one_round(const struct warp_access *a)
{
    return a->addr == NULL && a->stride != 0;
}

/* Appends the distinct sectors of each round as transactions: by round, then by the lowest lane.
 * Does not update bytes_moved. */
void coalesce_collect_rounds(const struct warp_access *a, struct coalesced *out);

/* Their number. */
uint32_t coalesce_count_rounds(const struct warp_access *a);

#endif
