/* coalesce_rounds.c - the rounds of an atomic.
 *
 * Source: sectors of 58 single atomics and of 36 kernels, measured on H200 with Nsight Compute.
 */
#include "sim/rules/coalesce_rounds.h"

#include "sim/rules/coalesce_parts.h"
#include "sim/rules/lanes.h"

uint32_t coalesce_rounds(const struct warp_access *a, uint32_t lanes[WARP_LANES])
{
    uint64_t room[WARP_LANES];
    const uint64_t *addr = access_addresses(a, room);
    uint32_t rounds = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t round = 0;
        if (!access_lane_active(a, lane))
            continue;
        for (uint32_t earlier = 0; earlier < lane; earlier++)
            round += access_lane_active(a, earlier) && addr[earlier] == addr[lane];
        if (round == rounds)
            lanes[rounds++] = 0;
        lanes[round] |= UINT32_C(1) << lane;
    }
    return rounds;
}

void coalesce_collect_rounds(const struct warp_access *a, struct coalesced *out)
{
    struct warp_access part = *a;
    uint32_t lanes[WARP_LANES];
    const uint32_t rounds = coalesce_rounds(a, lanes);
    for (uint32_t i = 0; i < rounds; i++) {
        part.active = lanes[i];
        coalesce_collect(&part, WARP_LANES, SECTOR_LOG2, out);
    }
}

uint32_t coalesce_count_rounds(const struct warp_access *a)
{
    struct coalesced list;
    list.transactions = 0;
    coalesce_collect_rounds(a, &list);
    return list.transactions;
}
