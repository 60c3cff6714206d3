/* coalesce_parts.h - what the two files of the coalescer share. Internal to coalesce. */
#ifndef WARPLENS_SIM_COALESCE_PARTS_H
#define WARPLENS_SIM_COALESCE_PARTS_H

#include "sim/coalesce.h"

/* Appends one transaction for each distinct segment of 2^segment_log2 bytes that the given active
 * lanes touch, by the lowest lane in each. Does not update bytes_moved. */
void coalesce_collect(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                      struct coalesced *out);

/* Append what the rules of sm_1x make of an access; `out` starts with all counts 0. */
void coalesce_half_warp_strict(const struct warp_access *a, struct coalesced *out);
void coalesce_half_warp_segment(const struct warp_access *a, struct coalesced *out);
void coalesce_half_warp_lanes(const struct warp_access *a, struct coalesced *out);

#endif
