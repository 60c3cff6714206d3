/* lanes.h - sets of lanes as bit masks, and what is cheap to know about an access before it is
 * walked. Internal to the rule functions (coalesce, banks, l1stage).
 */
#ifndef WARPLENS_SIM_RULES_LANES_H
#define WARPLENS_SIM_RULES_LANES_H

#include "sim/rules/access.h"
#include "sim/rules/sectors.h"

#include <string.h>

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

/* How many of the groups of `group_lanes` consecutive lanes have a lane in the set. */
static inline uint32_t lanes_count_groups(uint32_t lanes, uint32_t group_lanes)
{
    uint32_t groups = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += group_lanes)
        groups += (lanes & lanes_range(first, group_lanes)) != 0;
    return groups;
}

/* Zeros, in blocks: gcc clears larger ones by a string instruction, and a scattered access
 * takes 1.3 times as long. */
static inline void lanes_clear(uint32_t masks[WARP_LANES])
{
    memset(masks, 0, 64);
    memset(masks + WARP_LANES / 2, 0, 64);
}

/* 0 to 4 for 1 to 16 bytes a lane: the index of the tables by width. */
static inline uint32_t access_width_log2(const struct warp_access *a)
{
    return (uint32_t)__builtin_ctz(a->width);
}

/* Words in a 128-byte line, 4-byte words when lanes want less; also the lanes that such a line
 * serves when they want words in a row. */
static inline uint32_t access_line_words(const struct warp_access *a)
{
    return a->width <= 4 ? 32 : (uint32_t)LINE_BYTES >> access_width_log2(a);
}

/* True when the addresses of rising lanes only rise or only fall (or all are the same), so that
 * equal segments are neighbours. The bound on the stride keeps 32 lanes from running round the
 * address space; stated as one unsigned comparison for both signs. */
static inline bool access_is_ordered(const struct warp_access *a)
{
    const uint64_t limit = UINT64_C(1) << 56;
    return a->addr == NULL && (uint64_t)a->stride + limit < 2 * limit;
}

/* The addresses by lane, in `room` unless they are listed; those of inactive lanes mean nothing. */
static inline const uint64_t *access_addresses(const struct warp_access *a,
                                               uint64_t room[WARP_LANES])
{
    if (a->addr != NULL)
        return a->addr;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        room[i] = a->base + (uint64_t)a->stride * i;
    return room;
}

/* Bytes from one address of an affine access to the next, up or down. */
static inline uint64_t access_step(const struct warp_access *a)
{
    return a->stride < 0 ? -(uint64_t)a->stride : (uint64_t)a->stride;
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
