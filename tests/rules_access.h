/* rules_access.h - the accesses that the tests of the rules are written in. */
#ifndef WARPLENS_TESTS_RULES_ACCESS_H
#define WARPLENS_TESTS_RULES_ACCESS_H

#include "sim/access.h"

/* A whole warp; lane t at base + t * stride. */
static inline struct warp_access affine(uint8_t width, uint64_t base, int64_t stride)
{
    return (struct warp_access){.base = base,
                                .stride = stride,
                                .active = UINT32_MAX,
                                .resident = UINT32_MAX,
                                .width = width};
}

/* The same access with its addresses in a list, and nonsense where no lane is active. */
static inline struct warp_access listed(struct warp_access a, uint64_t addr[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = access_lane_active(&a, lane) ? access_addr(&a, lane) : UINT64_C(0xbad0bad0bad);
    a.addr = addr;
    return a;
}

#endif
