/* coalesce.c - global memory: one warp access -> memory transactions, sm_20 to sm_90.
 *
 * From Fermi on every rule has the same shape and is a row of a table: the warp is cut into groups
 * of lanes, and each group moves the distinct aligned segments that it touches. The rules differ in
 * the segment (128-byte line or 32-byte sector), in the groups that share traffic, and in the
 * groups that count as requests. sm_1x is in coalesce_half_warp.c.
 *
 * Modelling decisions:
 * - A word belongs to the segment of its first byte; natural alignment keeps words whole.
 * - A group without an active lane makes neither a request nor traffic.
 * - Stores of sm_20 to sm_37 are one request a warp, whatever the width.
 *
 * Sources: CUDA C Programming Guide 5.5 G.4.2 and G.5.2 (sm_20 to sm_37), 11.7 K.4 to K.8 (sm_50 to
 * sm_90); the groups of sm_50 to sm_62 agree with nvprof on Tegra X1 and GTX 1080, the whole-warp
 * sectors of sm_70 on with ncu on V100, RTX 4090 and H200.
 */
#include "sim/coalesce.h"

#include "sim/coalesce_parts.h"
#include "sim/keyset.h"
#include "sim/lanes.h"

/* How a warp is cut into groups of lanes. */
enum split { WHOLE_WARP, BY_128_BYTES, BY_32_BYTES };

static const uint8_t group_lanes[][WIDTH_KINDS] = {
    [WHOLE_WARP] = {32, 32, 32, 32, 32},
    [BY_128_BYTES] = {32, 32, 32, 16, 8},
    [BY_32_BYTES] = {8, 8, 8, 4, 2},
};

struct segment_rule {
    uint8_t segment_log2;
    uint8_t traffic_split; /* the lanes of a group share what they fetch */
    uint8_t request_split; /* a group is a request */
};

static const struct segment_rule segment_rules[COALESCE_RULE_COUNT] = {
    [COALESCE_LINE_128] = {7, BY_128_BYTES, BY_128_BYTES},
    [COALESCE_SEGMENT_32] = {5, BY_128_BYTES, BY_128_BYTES},
    [COALESCE_STORE_124] = {5, WHOLE_WARP, WHOLE_WARP},
    [COALESCE_SECTOR_GROUPED] = {5, BY_32_BYTES, BY_32_BYTES},
    [COALESCE_SECTOR_SPLIT_REQUESTS] = {5, WHOLE_WARP, BY_32_BYTES},
    [COALESCE_SECTOR] = {5, WHOLE_WARP, WHOLE_WARP},
};

/* Consecutive lanes on a rising stride of a power of two below the segment's size need no search:
 * the next lanes that fit into a segment follow from the room left in it. Against the walk over the
 * lanes, gapless 4-byte words take a fifth of the time and stride 2 words a third. */
static void collect_rising(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                           struct coalesced *out)
{
    const uint32_t size = 1U << segment_log2, stride = (uint32_t)a->stride;
    const uint32_t stride_log2 = lanes_lowest(stride);
    uint32_t lane = lanes_lowest(lanes), left = lanes_count(lanes), taken;
    struct transaction *t = out->list + out->transactions;
    for (; left != 0; lane += taken, left -= taken) {
        uint64_t addr = a->base + ((uint64_t)lane << stride_log2);
        uint32_t offset = (uint32_t)(addr & (size - 1));
        uint32_t fit = (size - offset + stride - 1) >> stride_log2;
        taken = fit < left ? fit : left;
        *t++ = (struct transaction){addr - offset, size, lanes_range(lane, taken)};
    }
    out->transactions = (uint32_t)(t - out->list);
}

static void collect_any(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                        struct coalesced *out)
{
    struct transaction *list = out->list + out->transactions;
    struct key_table table;
    struct key_set segments = key_set_start(&table, access_is_ordered(a));
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), known = segments.count;
        uint64_t segment = access_addr(a, lane) >> segment_log2;
        uint32_t i = key_set_add(&segments, segment);
        if (i == known)
            list[i] =
                (struct transaction){segment << segment_log2, 1U << segment_log2, rest & -rest};
        else
            list[i].lanes |= rest & -rest;
    }
    out->transactions += segments.count;
}

void coalesce_collect(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                      struct coalesced *out)
{
    if (access_rises_by_power_of_two(a) && a->stride < INT64_C(1) << segment_log2 &&
        lanes_are_consecutive(lanes))
        collect_rising(a, lanes, segment_log2, out);
    else
        collect_any(a, lanes, segment_log2, out);
}

static void apply_segment_rule(const struct segment_rule *rule, const struct warp_access *a,
                               struct coalesced *out)
{
    const uint32_t width_log2 = access_width_log2(a);
    const uint32_t group = group_lanes[rule->traffic_split][width_log2];
    out->requests = lanes_count_groups(a->active, group_lanes[rule->request_split][width_log2]);
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint32_t lanes = a->active & lanes_range(first, group);
        if (lanes != 0)
            coalesce_collect(a, lanes, rule->segment_log2, out);
    }
    out->bytes_moved = out->transactions << rule->segment_log2;
}

static void sort_by_address(struct transaction *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct transaction moved = list[i];
        uint32_t to = i;
        for (; to != 0 && list[to - 1].addr > moved.addr; to--)
            list[to] = list[to - 1];
        list[to] = moved;
    }
}

/* The transactions from the first of `list` on that lie in the same aligned block. */
static uint32_t run_in_block(const struct transaction *list, uint32_t count, uint32_t block_log2)
{
    uint32_t run = 1;
    while (run < count && list[run].addr >> block_log2 == list[0].addr >> block_log2)
        run++;
    return run;
}

/* Four sectors of a 128-byte line become one transaction; where some are missing, the two of a
 * 64-byte half still do. */
static void merge_sectors(struct coalesced *out)
{
    sort_by_address(out->list, out->transactions);
    uint32_t merged = 0, line_left = 0, step;
    for (uint32_t i = 0; i < out->transactions; i += step, line_left -= step) {
        const struct transaction *from = out->list + i;
        if (line_left == 0)
            line_left = run_in_block(from, out->transactions - i, 7);
        step = line_left == 4 ? 4 : run_in_block(from, line_left, 6);
        struct transaction t = {from->addr, 32 * step, 0};
        for (uint32_t k = 0; k < step; k++)
            t.lanes |= from[k].lanes;
        out->list[merged++] = t;
    }
    out->transactions = merged;
}

void coalesce(enum coalesce_rule rule, const struct warp_access *a, struct coalesced *out)
{
    out->requests = out->transactions = out->bytes_moved = 0;
    switch (rule) {
    case COALESCE_HALF_WARP_STRICT:
        coalesce_half_warp_strict(a, out);
        break;
    case COALESCE_HALF_WARP_SEGMENT:
        coalesce_half_warp_segment(a, out);
        break;
    case COALESCE_LANE:
        coalesce_half_warp_lanes(a, out);
        break;
    default:
        apply_segment_rule(&segment_rules[rule], a, out);
        break;
    }
    if (rule == COALESCE_STORE_124)
        merge_sectors(out);
}

uint32_t coalesce_distinct_bytes(const struct warp_access *a)
{
    return key_set_count_addresses(a, a->active) * a->width;
}
