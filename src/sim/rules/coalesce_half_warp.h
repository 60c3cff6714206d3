/* coalesce_half_warp.h - the coalescing rules of sm_1x. */
#ifndef WARPLENS_SIM_RULES_COALESCE_HALF_WARP_H
#define WARPLENS_SIM_RULES_COALESCE_HALF_WARP_H

#include "sim/rules/coalesce.h"

/* Appends what a rule of sm_1x makes of an access; transactions and bytes_moved start as 0. */
void coalesce_half_warp(enum coalesce_rule rule, const struct warp_access *a,
                        struct coalesced *out);

/* The same as transfers. */
void coalesce_half_warp_transfers(enum coalesce_rule rule, struct warp_lines *lines,
                                  struct transfers *out);

/* Strict rule: whether each lane k of the half-warp is on word k of one aligned segment. `start`
 * becomes the address of word 0. A 16-byte access has two segments in a row, aligned to 128 bytes
 * like one. */
bool coalesce_half_warp_is_in_order(const struct warp_access *a, uint32_t lanes, uint64_t *start);

/* Segment rule: log2 of a segment's bytes before it is shrunk. */
static inline uint32_t coalesce_half_warp_segment_log2(const struct warp_access *a)
{
    return a->width == 1 ? SECTOR_LOG2 : a->width == 2 ? 6 : LINE_LOG2;
}

#endif
