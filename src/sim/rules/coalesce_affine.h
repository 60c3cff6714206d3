/* coalesce_affine.h - what a full warp moves whose addresses rise or fall by one step: sums from its first
 * and last address, without a look at the lanes between.
 *
 * For accesses of access_is_full_affine() alone. tests/test_oracle.c holds each of them against the
 * oracle, and says how many of its cases come here.
 */
#ifndef WARPLENS_SIM_RULES_COALESCE_AFFINE_H
#define WARPLENS_SIM_RULES_COALESCE_AFFINE_H

#include "sim/rules/lanes.h"

/* Sectors in use, the aligned pairs of them that go together, and the whole lines. */
struct store_sectors {
    uint32_t sectors, pairs, lines;
};

/* Distinct bytes that lanes want. 2.5 to 4.4 times the rate of the rules alone. */
static inline uint32_t coalesce_affine_bytes(const struct warp_access *a)
{
    return a->stride == 0 ? a->width : WARP_LANES * (uint32_t)a->width;
}

static inline uint32_t coalesce_affine_group(const struct warp_access *a, uint32_t first,
                                             uint32_t lanes, uint32_t segment_log2)
{
    uint64_t from = access_addr(a, first) >> segment_log2;
    uint64_t to = access_addr(a, first + lanes - 1) >> segment_log2;
    return (uint32_t)(from < to ? to - from : from - to) + 1;
}

/* Distinct segments of 2^segment_log2 bytes, added up over groups of lanes: each lane has its own when
 * they are further apart than a segment is long, and none is left out when they are not. 3 to 5 times
 * the rate. */
static inline uint32_t coalesce_affine_segments(const struct warp_access *a, uint32_t group,
                                                uint32_t segment_log2)
{
    uint32_t sum = 0;
    if (access_step(a) >> segment_log2 != 0)
        return WARP_LANES;
    for (uint32_t first = 0; first < WARP_LANES; first += group)
        sum += coalesce_affine_group(a, first, group, segment_log2);
    return sum;
}

/* Whether the sectors from the first to the last are all in use. */
static inline bool coalesce_affine_is_run(const struct warp_access *a)
{
    return access_is_full_affine(a) && access_step(a) <= SECTOR_BYTES;
}

/* Stores of sm_20 to sm_37 over such a run. 3 to 5 times the rate. */
static inline struct store_sectors coalesce_affine_store(const struct warp_access *a)
{
    uint64_t x = a->base >> SECTOR_LOG2, y = access_addr(a, WARP_LANES - 1) >> SECTOR_LOG2;
    uint64_t from = x < y ? x : y, end = (x < y ? y : x) + 1;
    uint64_t line = (from + 3) / 4, line_end = end / 4;
    return (struct store_sectors){.sectors = (uint32_t)(end - from),
                                  .pairs = (uint32_t)(end / 2 - (from + 1) / 2),
                                  .lines = line < line_end ? (uint32_t)(line_end - line) : 0};
}

#endif
