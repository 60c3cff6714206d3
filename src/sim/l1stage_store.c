/* l1stage_store.c - the data stage of stores.
 *
 * A store collects tag wavefronts and lets their lanes pass the 32 data banks together: the first
 * 8, or 4 for words of 1 and 2 bytes. Later tag wavefronts go alone; where every one of them is a
 * single line, in batches of 8 (or 4) again.
 *
 * Source: 407 single stores measured on an H200 (validation/). Equal where one batch suffices (230
 * of 230), on 38 of 39 stores of wider words beyond that, and on 44 of 104 of 1- and 2-byte words
 * over more than 4 tag wavefronts, whose rule is open.
 */
#include "sim/l1stage.h"

#include "sim/banks.h"
#include "sim/lanes.h"

/* The lanes of each tag wavefront, and the number of lines of all of them. */
struct store_wavefronts {
    uint32_t lanes[WARP_LANES];
    uint32_t lines;
};

static void find_wavefronts(const struct warp_access *a, struct store_wavefronts *w)
{
    uint64_t line[WARP_LANES];
    uint32_t wavefront[WARP_LANES], lines_of_bank[4] = {0};
    lanes_clear(w->lanes);
    w->lines = 0;
    for (uint32_t rest = a->active; rest != 0; rest &= rest - 1) {
        uint64_t wanted = access_addr(a, lanes_lowest(rest)) >> 7;
        uint32_t i = 0;
        while (i < w->lines && line[i] != wanted)
            i++;
        if (i == w->lines) {
            line[i] = wanted;
            wavefront[i] = lines_of_bank[l1stage_tag_bank(wanted)]++;
            w->lines++;
        }
        w->lanes[wavefront[i]] |= rest & -rest;
    }
}

static uint32_t count_passes_of(const struct warp_access *a, uint32_t lanes)
{
    struct warp_access part = *a;
    part.active = lanes;
    return banks_count(BANKS_GROUPED_32, &part).passes;
}

uint32_t l1stage_store_passes(const struct warp_access *a, uint32_t tag)
{
    const uint32_t together = a->width >= 4 ? 8 : 4;
    struct store_wavefronts w;
    uint32_t passes = 0, step = together;
    if (tag <= together)
        return count_passes_of(a, a->active);
    find_wavefronts(a, &w);
    for (uint32_t first = 0; first < tag; first += step) {
        uint32_t lanes = 0;
        step = first == 0 || w.lines == tag ? together : 1;
        for (uint32_t i = first; i < first + step && i < tag; i++)
            lanes |= w.lanes[i];
        passes += count_passes_of(a, lanes);
    }
    return passes;
}
