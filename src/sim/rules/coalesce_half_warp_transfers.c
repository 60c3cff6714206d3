/* coalesce_half_warp_transfers.c - the rules of sm_1x once more, as transfers without their lanes, fast.
 *
 * Gain: twice the rate of the rules alone that the lists give on sm_12 and sm_13, 1.15 times on sm_10 and
 * sm_11, averaged over the gallery; 4.4 times where accesses coalesce. tests/test_oracle.c holds the
 * transfers against the oracle's lists.
 */
#include "sim/rules/coalesce_half_warp.h"

#include "sim/rules/coalesce_lines.h"
#include "sim/rules/lanes.h"
#include "sim/rules/transfers.h"

/* 1.3 times as fast as one after the other. */
static void transfer_all_lanes(const uint64_t addr[restrict WARP_LANES],
                               struct transfers *restrict out)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        out->addr[i] = addr[i] & ~(uint64_t)(SECTOR_BYTES - 1);
        out->bytes[i] = SECTOR_BYTES;
        any |= addr[i];
    }
    out->count = out->of_size[0] = WARP_LANES;
    out->any_addr = any;
}

static void transfer_each_lane(const struct warp_access *a, uint32_t lanes, struct transfers *out)
{
    uint64_t room[WARP_LANES];
    if (lanes == UINT32_MAX) {
        transfer_all_lanes(access_addresses(a, room), out);
        return;
    }
    for (; lanes != 0; lanes &= lanes - 1)
        transfers_add(out, access_addr(a, lanes_lowest(lanes)) & ~(uint64_t)(SECTOR_BYTES - 1),
                      SECTOR_BYTES);
}

static void transfer_strict(const struct warp_access *a, struct transfers *out)
{
    uint32_t apart = 0; /* lanes of half-warps that do not coalesce */
    for (uint32_t first = 0; first < WARP_LANES; first += HALF_WARP_LANES) {
        const uint32_t lanes = a->active & lanes_range(first, HALF_WARP_LANES);
        const uint32_t step = a->width == 16 ? 8 : HALF_WARP_LANES;
        uint64_t start = 0;
        if (lanes == 0 || !coalesce_half_warp_is_in_order(a, lanes, &start)) {
            apart |= lanes;
            continue;
        }
        for (uint32_t k = 0; k < HALF_WARP_LANES; k += step)
            if (lanes & lanes_range(first + k, step))
                transfers_add(out, start + (uint64_t)k * a->width, step * a->width);
    }
    transfer_each_lane(a, apart, out);
}

/* The transactions for the sectors in use, a bit each, of one 128-byte line. */
static void transfer_sectors(uint64_t line, uint32_t sectors, uint32_t segment_log2,
                             struct transfers *out)
{
    if (segment_log2 == LINE_LOG2 && (sectors & 3) != 0 && sectors > 3) {
        transfers_add(out, line << LINE_LOG2, 4 * SECTOR_BYTES);
        return;
    }
    for (uint32_t k = 0; k < 4; k += 2) {
        uint64_t addr = (line << LINE_LOG2) + k * SECTOR_BYTES;
        uint32_t pair = sectors >> k & 3;
        if (pair == 3 && segment_log2 > SECTOR_LOG2) {
            transfers_add(out, addr, 2 * SECTOR_BYTES);
            continue;
        }
        if (pair & 1)
            transfers_add(out, addr, SECTOR_BYTES);
        if (pair & 2)
            transfers_add(out, addr + SECTOR_BYTES, SECTOR_BYTES);
    }
}

/* A stride of up to a sector leaves none out between the first and the last lane. 1.6 times as fast
 * as the walk below. */
static void transfer_run(const struct warp_access *a, uint32_t first, uint32_t segment_log2,
                         struct transfers *out)
{
    uint64_t x = access_addr(a, first) >> SECTOR_LOG2;
    uint64_t y = access_addr(a, first + HALF_WARP_LANES - 1) >> SECTOR_LOG2;
    uint64_t from = x < y ? x : y, to = x < y ? y : x;
    for (uint64_t line = from / 4; line <= to / 4; line++) {
        uint32_t sectors = line == from / 4 ? 15U << (from & 3) & 15U : 15U;
        if (line == to / 4)
            sectors &= 15U >> (3 - (to & 3));
        transfer_sectors(line, sectors, segment_log2, out);
    }
}

/* Lanes of an affine access touch segments one after the other: 2.6 times as fast as from the
 * lines. */
static void transfer_walk(const struct warp_access *a, uint32_t first, uint32_t segment_log2,
                          struct transfers *out)
{
    uint64_t addr = access_addr(a, first), line = addr >> LINE_LOG2;
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < HALF_WARP_LANES; i++, addr += (uint64_t)a->stride) {
        if (addr >> LINE_LOG2 != line) {
            transfer_sectors(line, sectors, segment_log2, out);
            sectors = 0;
            line = addr >> LINE_LOG2;
        }
        sectors |= 1U << (addr >> SECTOR_LOG2 & 3);
    }
    transfer_sectors(line, sectors, segment_log2, out);
}

static void transfer_half_lines(const struct warp_lines *lines, uint32_t half,
                                uint32_t segment_log2, struct transfers *out)
{
    const uint32_t line_words = access_line_words(lines->access);
    for (uint32_t i = 0; i < lines->count; i++)
        transfer_sectors(lines->line[i], lines_sectors(lines->words[half][i], line_words),
                         segment_log2, out);
}

/* A full affine access whose lanes share segments. */
static void transfer_affine(const struct warp_access *a, uint32_t segment_log2,
                            struct transfers *out)
{
    for (uint32_t first = 0; first < WARP_LANES; first += HALF_WARP_LANES)
        if (access_step(a) <= SECTOR_BYTES)
            transfer_run(a, first, segment_log2, out);
        else
            transfer_walk(a, first, segment_log2, out);
}

static void transfer_segment(struct warp_lines *lines, struct transfers *out)
{
    const struct warp_access *a = lines->access;
    const uint32_t segment_log2 = coalesce_half_warp_segment_log2(a);
    if (access_is_full_affine(a)) {
        if (access_step(a) >> segment_log2 == 0)
            transfer_affine(a, segment_log2, out);
        else
            transfer_each_lane(a, a->active, out);
        return;
    }
    coalesce_lines_find(lines);
    if (lines->count == lanes_count(a->active)) {
        transfer_each_lane(a, a->active, out);
        return;
    }
    transfer_half_lines(lines, 0, segment_log2, out);
    transfer_half_lines(lines, 1, segment_log2, out);
}

/* Gapless words from the start of a block: both rules move whole blocks. 1.25 times as fast. */
static bool transfer_blocks(const struct warp_access *a, struct transfers *out)
{
    const uint32_t block = a->width == 4 ? 64 : 128;
    if (!access_is_contiguous(a) || a->width < 4 || (a->base & (block - 1)) != 0)
        return false;
    for (uint32_t at = 0; at < WARP_LANES * (uint32_t)a->width; at += block)
        transfers_add(out, a->base + at, block);
    return true;
}

void coalesce_half_warp_transfers(enum coalesce_rule rule, struct warp_lines *lines,
                                  struct transfers *out)
{
    const struct warp_access *a = lines->access;
    transfers_start(out);
    if (rule == COALESCE_LANE)
        transfer_each_lane(a, a->active, out);
    else if (transfer_blocks(a, out))
        return;
    else if (rule == COALESCE_HALF_WARP_STRICT)
        transfer_strict(a, out);
    else
        transfer_segment(lines, out);
}
