/* l1stage_atomic.c - the data stage of global atomics.
 *
 * Source: 58 single atomics measured on an H200 (validation/), of which 56 make these passes twice:
 * on the way in and, as all of them return a value, with the result.
 */
#include "sim/rules/l1stage.h"

#include "sim/rules/banks.h"
#include "sim/rules/coalesce_lists.h"
#include "sim/rules/lanes.h"
#include "sim/rules/tag_stage.h"

/* The lanes of each tag wavefront of a round. Returns the number of wavefronts. */
static uint32_t find_wavefronts(const struct warp_access *a, uint32_t lanes,
                                uint32_t served[WARP_LANES])
{
    uint64_t line[WARP_LANES];
    uint8_t seen[TAG_BANKS] = {0}, wavefront[WARP_LANES];
    uint32_t lines = 0, wavefronts = 0, i;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t wanted = access_addr(a, lanes_lowest(lanes)) >> LINE_LOG2;
        for (i = 0; i < lines && line[i] != wanted;)
            i++;
        if (i == lines) {
            line[lines] = wanted;
            wavefront[lines++] = seen[l1stage_tag_bank(wanted)]++;
        }
        if (wavefront[i] == wavefronts)
            served[wavefronts++] = 0;
        served[wavefront[i]] |= lanes & -lanes;
    }
    return wavefronts;
}

uint32_t l1stage_atomic_passes(const struct warp_access *a)
{
    struct warp_access part = *a;
    uint32_t lanes[WARP_LANES], served[WARP_LANES], passes = 0;
    if (a->addr == NULL && a->stride == 0) /* 30 times as fast */
        return lanes_count(a->active);
    const uint32_t rounds = coalesce_rounds(a, lanes);
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t wavefronts = find_wavefronts(a, lanes[i], served);
        for (uint32_t w = 0; w < wavefronts; w++) {
            part.active = served[w];
            passes += banks_count_atomic(BANKS_GROUPED_32, &part).passes;
        }
    }
    return passes;
}
