/* l1stage.c - inside the L1 of sm_70 to sm_90: tag-stage and data-stage wavefronts of one access.
 *
 * A tag wavefront looks up at most one line in each of the four tag banks, so inside one wavefront
 * the tag bank names the line. The words that lanes take from a line are a bit mask, and the passes
 * of a wavefront are the most lines that have a bit in common: a vertical sum of four masks.
 *
 * Modelling decisions:
 * - A word wider than a data bank takes an aligned set of banks, so the masks have a bit for each
 *   word of a line, not for each bank.
 * - Groups of lanes cut the data stage only; the tag stage walks the whole warp.
 * - Stores use the rule of loads, which is open for several tag wavefronts and for 1- and 2-byte
 * words.
 *
 * Source: wavefront counters measured on H200 with Nsight Compute.
 */
#include "sim/l1stage.h"

#include "sim/keyset.h"
#include "sim/lanes.h"

#include <string.h>

enum { LINE_LOG2 = 7, LINE_BYTES = 1 << LINE_LOG2, TAG_BANKS = 4 };

/* 32 words of 16 bytes that start inside a line. */
enum { MOST_CONTIGUOUS_LINES = 5 };

/* The lines of an access, and where the tag stage puts them: wavefront * TAG_BANKS + tag bank. */
struct tag_stage {
    uint32_t wavefronts;
    uint8_t place[WARP_LANES]; /* by line */
    uint8_t line[WARP_LANES];  /* by lane */
};

uint32_t l1stage_tag_bank(uint64_t line)
{
    /* Each bit of the line number turns bank bit 0, bit 1 or both; here, the bits that turn each.
     */
    const uint32_t turns_bit_0 = 0x006f7ab5, turns_bit_1 = 0x003ad5da;
    uint32_t low = (uint32_t)__builtin_parity((uint32_t)line & turns_bit_0);
    uint32_t high = (uint32_t)__builtin_parity((uint32_t)line & turns_bit_1);
    return high << 1 | low;
}

/* The tag wavefront of a line is the number of earlier lines of the access in the same tag bank. */
static uint32_t place_line(uint64_t line, uint8_t seen[TAG_BANKS])
{
    uint32_t bank = l1stage_tag_bank(line);
    return seen[bank]++ * TAG_BANKS + bank;
}

static void walk_tags(const struct warp_access *a, struct tag_stage *stage)
{
    uint8_t seen[TAG_BANKS] = {0};
    struct key_set lines;
    key_set_clear(&lines, access_is_ordered(a));
    stage->wavefronts = 0;
    for (uint32_t rest = a->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), known = lines.count;
        uint64_t line = access_addr(a, lane) >> LINE_LOG2;
        uint32_t n = key_set_add(&lines, line);
        stage->line[lane] = (uint8_t)n;
        if (n != known)
            continue;
        stage->place[n] = (uint8_t)place_line(line, seen);
        if (stage->place[n] / TAG_BANKS == stage->wavefronts)
            stage->wavefronts++;
    }
}

/* The largest number of the four masks that have the same bit set. */
static uint32_t most_in_common(const uint32_t mask[TAG_BANKS])
{
    uint32_t either_01 = mask[0] | mask[1], both_01 = mask[0] & mask[1];
    uint32_t either_23 = mask[2] | mask[3], both_23 = mask[2] & mask[3];
    uint32_t one = either_01 | either_23;
    uint32_t two = both_01 | both_23 | (either_01 & either_23);
    uint32_t three = (both_01 & either_23) | (either_01 & both_23);
    uint32_t four = both_01 & both_23;
    return (uint32_t)(one != 0) + (two != 0) + (three != 0) + (four != 0);
}

static uint32_t count_group_passes(const struct warp_access *a, uint32_t lanes,
                                   const struct tag_stage *stage)
{
    const uint32_t width_log2 = access_width_log2(a), unit_log2 = width_log2 > 2 ? width_log2 : 2;
    uint32_t words[WARP_LANES][TAG_BANKS], passes = 0;
    memset(words, 0, stage->wavefronts * sizeof words[0]);
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = lanes_lowest(lanes), place = stage->place[stage->line[lane]];
        uint32_t word = (uint32_t)(access_addr(a, lane) & (LINE_BYTES - 1)) >> unit_log2;
        words[place / TAG_BANKS][place % TAG_BANKS] |= 1U << word;
    }
    for (uint32_t wavefront = 0; wavefront < stage->wavefronts; wavefront++)
        passes += most_in_common(words[wavefront]);
    return passes;
}

/* A gapless array: each group of lanes takes up to 128 bytes in a row, so its words share no bank
 * and it makes one pass, or two when it straddles lines of two wavefronts. Nine times as fast as a
 * walk over the lanes. */
static struct l1_wavefronts count_contiguous(const struct warp_access *a, uint32_t group_lanes)
{
    const uint32_t offset = (uint32_t)(a->base & (LINE_BYTES - 1));
    const uint32_t end = offset + (uint32_t)WARP_LANES * a->width, span = group_lanes * a->width;
    uint32_t wavefront[MOST_CONTIGUOUS_LINES];
    uint8_t seen[TAG_BANKS] = {0};
    struct l1_wavefronts sum = {0, 1};
    for (uint32_t i = 0; i * LINE_BYTES < end; i++) {
        wavefront[i] = place_line((a->base >> LINE_LOG2) + i, seen) / TAG_BANKS;
        sum.tag = wavefront[i] < sum.tag ? sum.tag : wavefront[i] + 1;
    }
    for (uint32_t at = offset; at < end; at += span) {
        uint32_t first = wavefront[at >> LINE_LOG2];
        uint32_t last = wavefront[(at + span - 1) >> LINE_LOG2];
        sum.data += first == last ? 1 : 2;
    }
    return sum;
}

struct l1_wavefronts l1stage_count(const struct warp_access *a)
{
    static const uint8_t group_of_width[WIDTH_KINDS] = {32, 32, 32, 16, 8};
    const uint32_t group = group_of_width[access_width_log2(a)];
    if (access_is_contiguous(a))
        return count_contiguous(a, group);
    struct tag_stage stage;
    walk_tags(a, &stage);
    struct l1_wavefronts sum = {stage.wavefronts, 1};
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint32_t lanes = a->active & lanes_range(first, group);
        if (lanes != 0)
            sum.data += count_group_passes(a, lanes, &stage);
    }
    return sum;
}
