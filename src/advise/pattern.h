/* pattern.h - the lanes of a warp access as rows: lane l is at
 * base + (l % row_lanes) * step + (l / row_lanes) * row_step. */
#ifndef WARPLENS_ADVISE_PATTERN_H
#define WARPLENS_ADVISE_PATTERN_H

#include "sim/rules/access.h"

struct lane_pattern {
    uint64_t base; /* of lane 0, active or not */
    int64_t step, row_step;
    uint8_t row_lanes; /* a power of two; WARP_LANES: one row, and row_step is 0 */
};

/* The pattern of the active lanes with the longest rows; false when there is none. Steps that no pair
 * of active lanes shows are 0. */
bool pattern_find(const struct warp_access *access, struct lane_pattern *pattern);

static inline uint64_t pattern_addr(const struct lane_pattern *p, unsigned lane)
{
    return p->base + (uint64_t)p->step * (lane % p->row_lanes) +
           (uint64_t)p->row_step * (lane / p->row_lanes);
}

#endif
