/* pattern.c - tries rows of 32, 16, ... 2 lanes: a step comes from the first pair of active lanes that
 * shows it, and then every active lane must agree. */
#include "advise/pattern.h"

static bool both_active(const struct warp_access *a, unsigned first, unsigned second)
{
    return second < WARP_LANES && access_lane_active(a, first) && access_lane_active(a, second);
}

/* The step between the first two active lanes that are `distance` apart, in one row when it is 1. */
static int64_t step_of(const struct warp_access *a, unsigned distance, unsigned row_lanes)
{
    for (unsigned lane = 0; lane + distance < WARP_LANES; lane++) {
        bool leaves_row = distance == 1 && (lane + 1) % row_lanes == 0;
        if (!leaves_row && both_active(a, lane, lane + distance))
            return (int64_t)(access_addr(a, lane + distance) - access_addr(a, lane));
    }
    return 0;
}

static bool rows_of(const struct warp_access *a, unsigned row_lanes, struct lane_pattern *p)
{
    unsigned first = (unsigned)__builtin_ctz(a->active);
    *p = (struct lane_pattern){.row_lanes = (uint8_t)row_lanes,
                               .step = step_of(a, 1, row_lanes),
                               .row_step = step_of(a, row_lanes, row_lanes)};
    p->base = access_addr(a, first) - pattern_addr(p, first);
    for (unsigned lane = first; lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane) && access_addr(a, lane) != pattern_addr(p, lane))
            return false;
    return true;
}

bool pattern_find(const struct warp_access *a, struct lane_pattern *p)
{
    if (a->addr == NULL) {
        *p = (struct lane_pattern){.base = a->base, .step = a->stride, .row_lanes = WARP_LANES};
        return true;
    }
    for (unsigned row_lanes = WARP_LANES; row_lanes > 1; row_lanes /= 2)
        if (rows_of(a, row_lanes, p))
            return true;
    return false;
}
