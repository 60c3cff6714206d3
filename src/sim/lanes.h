/* lanes.h - sets of lanes as bit masks, and what is cheap to know about an access before it is
 * walked. Internal to the rule functions (coalesce, banks, l1stage).
 */
#ifndef WARPLENS_SIM_LANES_H
#define WARPLENS_SIM_LANES_H

#include "sim/access.h"

enum { HALF_WARP_LANES = 16, WIDTH_KINDS = 5 };

static inline uint32_t lanes_lowest(uint32_t lanes)
{
    return (uint32_t)__builtin_ctz(lanes);
}

static inline uint32_t lanes_highest(uint32_t lanes)
{
    return WARP_LANES - 1U - (uint32_t)__builtin_clz(lanes);
}

/* The lanes first .. first + count - 1; count from 1 to 32. */
static inline uint32_t lanes_range(uint32_t first, uint32_t count)
{
    return (UINT32_MAX >> (WARP_LANES - count)) << first;
}

/* Bits set. Spelt out because the compiler's builtin is a library call on plain x86-64. */
static inline uint32_t lanes_count(uint32_t lanes)
{
    lanes -= lanes >> 1 & 0x55555555U;
    lanes = (lanes & 0x33333333U) + (lanes >> 2 & 0x33333333U);
    return ((lanes + (lanes >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
}

/* True when the lanes of the set, which is not empty, have no gap. */
static inline bool lanes_are_consecutive(uint32_t lanes)
{
    return (lanes & (lanes + (lanes & -lanes))) == 0;
}

/* How many of the groups of `group_lanes` consecutive lanes have a lane in the set. */
static inline uint32_t lanes_count_groups(uint32_t lanes, uint32_t group_lanes)
{
    uint32_t groups = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += group_lanes)
        groups += (lanes & lanes_range(first, group_lanes)) != 0;
    return groups;
}

/* 0 to 4 for 1 to 16 bytes a lane: the index of the tables by width. */
static inline uint32_t access_width_log2(const struct warp_access *a)
{
    return (uint32_t)__builtin_ctz(a->width);
}

/* True when the addresses of rising lanes only rise or only fall (or all are the same), so that
 * equal segments are neighbours. The bound on the stride keeps 32 lanes from running round the
 * address space; stated as one unsigned comparison for both signs. */
static inline bool access_is_ordered(const struct warp_access *a)
{
    const uint64_t limit = UINT64_C(1) << 56;
    return a->addr == NULL && (uint64_t)a->stride + limit < 2 * limit;
}

/* True when each lane's address is a fixed power of two above the last lane's. */
static inline bool access_rises_by_power_of_two(const struct warp_access *a)
{
    return access_is_ordered(a) && a->stride > 0 && (a->stride & (a->stride - 1)) == 0;
}

/* True when the whole warp is active on an affine access of rising or falling addresses. */
static inline bool access_is_full_affine(const struct warp_access *a)
{
    return a->active == UINT32_MAX && access_is_ordered(a);
}

/* True when the whole warp takes a gapless array of words, lane by lane. */
static inline bool access_is_contiguous(const struct warp_access *a)
{
    return a->addr == NULL && a->active == UINT32_MAX && a->stride == (int64_t)a->width;
}

#endif
