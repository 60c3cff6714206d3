/* coalesce_half_warp.c - global memory: one warp access -> memory transactions, sm_10 to sm_13.
 *
 * Modelling decisions:
 * - A half-warp is one request; one without an active lane makes none.
 * - Strict rule: inactive lanes do not break coalescing, but a 128-byte half of a 16-byte access
 *   whose lanes are all inactive is not sent. The guide is silent there.
 * - Segment rule: the guide's protocol serves the lowest lane left together with every lane in its
 *   segment. Lanes of one segment are therefore always served at once, and the protocol comes to
 *   the distinct segments by lowest lane, each then shrunk to the part in use.
 *
 * Here are the lists that name every lane, plainly; the transfers of the same rules, fast, are in
 * coalesce_half_warp_transfers.c.
 *
 * Source: CUDA C Programming Guide 3.2, G.3.2.1 (sm_10, sm_11) and G.3.2.2 (sm_12, sm_13).
 */
#include "sim/rules/coalesce_half_warp.h"

#include "sim/rules/coalesce_lists.h"
#include "sim/rules/lanes.h"

static void append(struct coalesced *out, uint64_t addr, uint32_t bytes, uint32_t lanes)
{
    out->list[out->transactions++] = (struct transaction){addr, bytes, lanes};
    out->bytes_moved += bytes;
}

static void append_each_lane(const struct warp_access *a, uint32_t lanes, struct coalesced *out)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t addr = access_addr(a, lanes_lowest(lanes));
        append(out, addr & ~(uint64_t)(SECTOR_BYTES - 1), SECTOR_BYTES, lanes & -lanes);
    }
}

bool coalesce_half_warp_is_in_order(const struct warp_access *a, uint32_t lanes, uint64_t *start)
{
    const uint32_t align = a->width == 4 ? 64 : 128, lowest = lanes_lowest(lanes);
    const uint32_t first = lowest & HALF_WARP_LANES;
    if (a->width < 4)
        return false;
    *start = access_addr(a, lowest) - (uint64_t)(lowest - first) * a->width;
    if ((*start & (align - 1)) != 0)
        return false;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = lanes_lowest(lanes);
        if (access_addr(a, lane) != *start + (uint64_t)(lane - first) * a->width)
            return false;
    }
    return true;
}

static void append_in_order(const struct warp_access *a, uint32_t lanes, uint64_t start,
                            struct coalesced *out)
{
    const uint32_t first = lanes_lowest(lanes) & HALF_WARP_LANES;
    const uint32_t step = a->width == 16 ? 8 : HALF_WARP_LANES;
    for (uint32_t k = 0; k < HALF_WARP_LANES; k += step) {
        uint32_t served = lanes & lanes_range(first + k, step);
        if (served != 0)
            append(out, start + (uint64_t)k * a->width, step * a->width, served);
    }
}

static void apply_strict(const struct warp_access *a, struct coalesced *out)
{
    for (uint32_t first = 0; first < WARP_LANES; first += HALF_WARP_LANES) {
        uint32_t lanes = a->active & lanes_range(first, HALF_WARP_LANES);
        uint64_t start = 0;
        if (lanes == 0)
            continue;
        if (coalesce_half_warp_is_in_order(a, lanes, &start))
            append_in_order(a, lanes, start, out);
        else
            append_each_lane(a, lanes, out);
    }
}

/* Halves a segment as long as all bytes in use lie in one half of it. */
static void shrink(const struct warp_access *a, struct transaction *t)
{
    uint64_t low = UINT64_MAX, high = 0;
    uint32_t lanes = t->lanes;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t addr = access_addr(a, lanes_lowest(lanes));
        low = addr < low ? addr : low;
        high = addr > high ? addr : high;
    }
    while (t->bytes > SECTOR_BYTES && ((low ^ high) & (t->bytes / 2)) == 0)
        t->bytes /= 2;
    t->addr = low & ~(uint64_t)(t->bytes - 1);
}

static void apply_segment(const struct warp_access *a, struct coalesced *out)
{
    coalesce_collect(a, HALF_WARP_LANES, coalesce_half_warp_segment_log2(a), out);
    for (uint32_t i = 0; i < out->transactions; i++) {
        shrink(a, &out->list[i]);
        out->bytes_moved += out->list[i].bytes;
    }
}

void coalesce_half_warp(enum coalesce_rule rule, const struct warp_access *a, struct coalesced *out)
{
    if (rule == COALESCE_HALF_WARP_STRICT)
        apply_strict(a, out);
    else if (rule == COALESCE_HALF_WARP_SEGMENT)
        apply_segment(a, out);
    else
        append_each_lane(a, a->active, out);
}
