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
 * - Stores use the rule of loads. What they do over several tag wavefronts, or with words of 1
 *   and 2 bytes, differs by -6 % to +20 % and is not understood.
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

uint32_t l1stage_tag_bank(uint64_t line)
{
    /* The bits of the line number that flip bit 0 and bit 1 of the bank; some flip both. */
    const uint32_t flips_bit_0 = 0x006f7ab5, flips_bit_1 = 0x003ad5da;
    uint32_t low = (uint32_t)__builtin_parity((uint32_t)line & flips_bit_0);
    uint32_t high = (uint32_t)__builtin_parity((uint32_t)line & flips_bit_1);
    return high << 1 | low;
}

/* What the tag stage knows of an access: the words taken from a line, by wavefront and tag bank. A
 * line of n words and a group of n lanes go together (128 bytes), so that one mask of 32 bits holds
 * the words of every group: n bits each, the first group in the lowest. */
struct tag_stage {
    uint32_t wavefronts;
    uint32_t words[WARP_LANES][TAG_BANKS];
};

/* The tag wavefront of a line is the number of earlier lines of the access in the same tag bank. */
static uint32_t place_line(uint64_t line, uint8_t seen[TAG_BANKS])
{
    uint32_t bank = l1stage_tag_bank(line);
    return seen[bank]++ * TAG_BANKS + bank;
}

static void walk_tags(const struct warp_access *a, uint32_t group_lanes, struct tag_stage *stage)
{
    const uint32_t unit_log2 = LINE_LOG2 - (uint32_t)__builtin_ctz(group_lanes);
    uint8_t seen[TAG_BANKS] = {0}, place[WARP_LANES];
    struct key_table table;
    struct key_set lines = key_set_start(&table, access_is_ordered(a));
    stage->wavefronts = 0;
    for (uint32_t rest = a->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), known = lines.count;
        uint64_t addr = access_addr(a, lane);
        uint32_t n = key_set_add(&lines, addr >> LINE_LOG2);
        if (n == known) {
            place[n] = (uint8_t)place_line(addr >> LINE_LOG2, seen);
            if (place[n] / TAG_BANKS == stage->wavefronts)
                memset(stage->words[stage->wavefronts++], 0, sizeof stage->words[0]);
        }
        uint32_t word = (uint32_t)(addr & (LINE_BYTES - 1)) >> unit_log2;
        stage->words[place[n] / TAG_BANKS][place[n] % TAG_BANKS] |=
            1U << ((lane & -group_lanes) + word);
    }
}

/* The passes of one wavefront: for each group of bits, the most masks that have a bit in common. */
static uint32_t count_passes(const uint32_t words[TAG_BANKS], uint32_t group_lanes)
{
    uint32_t either_01 = words[0] | words[1], both_01 = words[0] & words[1];
    uint32_t either_23 = words[2] | words[3], both_23 = words[2] & words[3];
    return lanes_count_groups(either_01 | either_23, group_lanes) +
           lanes_count_groups(both_01 | both_23 | (either_01 & either_23), group_lanes) +
           lanes_count_groups((both_01 & either_23) | (either_01 & both_23), group_lanes) +
           lanes_count_groups(both_01 & both_23, group_lanes);
}

/* A gapless array: each group of lanes takes up to 128 bytes in a row, so its words share no bank
 * and it makes one pass, or two when it straddles lines of two wavefronts. Nine times as fast as
 * the walk over the lanes. */
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
    walk_tags(a, group, &stage);
    struct l1_wavefronts sum = {stage.wavefronts, 1};
    for (uint32_t wavefront = 0; wavefront < stage.wavefronts; wavefront++)
        sum.data += count_passes(stage.words[wavefront], group);
    return sum;
}
