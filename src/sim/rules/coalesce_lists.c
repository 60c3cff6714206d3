/* coalesce_lists.c - lists of transactions, plainly: of groups of lanes, and of the rounds of an atomic.
 *
 * Source of the rounds: sectors of 58 single atomics and of 36 kernels, measured on H200 with Nsight Compute.
 */
#include "sim/rules/coalesce_lists.h"

#include "sim/rules/lanes.h"

static void collect_group(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                          struct coalesced *out)
{
    struct transaction *list = out->list + out->transactions;
    uint32_t count = 0, i;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t start = access_addr(a, lanes_lowest(lanes)) >> segment_log2 << segment_log2;
        for (i = 0; i < count && list[i].addr != start;)
            i++;
        if (i == count)
            list[count++] = (struct transaction){start, 1U << segment_log2, 0};
        list[i].lanes |= lanes & -lanes;
    }
    out->transactions += count;
}

void coalesce_collect(const struct warp_access *a, uint32_t group, uint32_t segment_log2,
                      struct coalesced *out)
{
    for (uint32_t first = 0; first < WARP_LANES; first += group)
        collect_group(a, a->active & lanes_range(first, group), segment_log2, out);
}

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
