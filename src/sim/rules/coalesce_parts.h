/* coalesce_parts.h - what the two files of the coalescer share. Internal to coalesce. */
#ifndef WARPLENS_SIM_RULES_COALESCE_PARTS_H
#define WARPLENS_SIM_RULES_COALESCE_PARTS_H

#include "sim/rules/coalesce.h"

enum { SECTOR_LOG2 = 5, SECTOR_BYTES = 32 };

/* Appends one transaction for each distinct segment of 2^segment_log2 bytes that the active lanes
 * of each group of lanes touch: by group, then by the lowest lane. Does not update bytes_moved. */
void coalesce_collect(const struct warp_access *a, uint32_t group, uint32_t segment_log2,
                      struct coalesced *out);

/* Appends what a rule of sm_1x makes of an access; `out` starts with all counts 0. */
void coalesce_half_warp(enum coalesce_rule rule, const struct warp_access *a,
                        struct coalesced *out);

/* The same as transfers. */
void coalesce_half_warp_transfers(enum coalesce_rule rule, struct warp_lines *lines,
                                  struct transfers *out);

static inline void transfers_start(struct transfers *out)
{
    out->count = out->of_size[0] = out->of_size[1] = out->of_size[2] = 0;
    out->any_addr = 0;
}

static inline void transfers_add(struct transfers *out, uint64_t addr, uint32_t bytes)
{
    out->addr[out->count] = addr;
    out->bytes[out->count++] = bytes;
    out->of_size[bytes / 64]++; /* 0, 1 or 2 */
    out->any_addr |= addr;
}

#endif
