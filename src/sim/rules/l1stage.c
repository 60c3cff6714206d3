/* l1stage.c - inside the L1 of sm_70 to sm_90: tag-stage and data-stage wavefronts of one access.
 *
 * A tag wavefront looks up at most one line in each of the four tag banks, so inside one wavefront
 * the tag bank names the line. The words that lanes take from a line are a bit mask, and the passes
 * of a wavefront are the most lines that have a bit in common: a vertical sum of four masks.
 *
 * Modelling decisions:
 * - A word wider than a data bank takes an aligned set of banks, so the masks have a bit for each
 *   word of a line, not for each bank (struct warp_lines says how).
 * - Groups of lanes cut the data stage only; the tag stage walks the whole warp.
 * - Stores share the tag stage; their data stage is in l1stage_store.c.
 *
 * Loops over BLOCK lines or wavefronts are written for compilers that turn them into vector
 * instructions: fixed length, no branch, fields of bits instead of arrays.
 *
 * Source: wavefront counters measured on H200 with Nsight Compute.
 */
#include "sim/rules/l1stage.h"

#include "sim/rules/coalesce_lines.h"
#include "sim/rules/l1stage_affine.h"
#include "sim/rules/lanes.h"
#include "sim/rules/tag_stage.h"

/* Lines or wavefronts that are worked on side by side. */
enum { BLOCK = 4 };

/* The bits of the line number that flip bit 0 and bit 1 of the tag bank; some flip both. */
enum { FLIPS_BIT_0 = 0x006f7ab5, FLIPS_BIT_1 = 0x003ad5da };

uint32_t l1stage_tag_bank(uint64_t line)
{
    uint32_t low = (uint32_t)__builtin_parity((uint32_t)line & FLIPS_BIT_0);
    uint32_t high = (uint32_t)__builtin_parity((uint32_t)line & FLIPS_BIT_1);
    return high << 1 | low;
}

/* Both parities of l1stage_tag_bank at once, in the halves of a word: 1.1 to 1.3 times the rate of the
 * rules where a warp touches many lines. */
void tag_stage_find_banks(const uint64_t lines[WARP_LANES], uint32_t count,
                          uint32_t banks_times_8[WARP_LANES])
{
    for (uint32_t first = 0; first < count; first += BLOCK) {
        const uint64_t *line = lines + first;
        uint32_t *bank_times_8 = banks_times_8 + first;
        for (uint32_t i = 0; i < BLOCK; i++) {
            uint32_t low = (uint32_t)line[i] & FLIPS_BIT_0, high = (uint32_t)line[i] & FLIPS_BIT_1;
            uint32_t both = ((high ^ high << 16) & 0xffff0000U) | ((low ^ low >> 16) & 0xffffU);
            both ^= both >> 8;
            both ^= both >> 4;
            both ^= both >> 2;
            both ^= both >> 1;
            bank_times_8[i] = (both >> 12 & 16) | (both << 3 & 8);
        }
    }
}

/* The tag wavefront of a line is the number of earlier lines of the access in the same tag bank. */
static void place_lines(const struct warp_lines *lines, struct tag_stage *stage)
{
    /* In `words`, by tag bank; a byte each, since an array of counters takes 1.2 times as long. */
    const uint32_t first_places = 0x60402000;
    uint32_t next_places = first_places, bank_times_8[WARP_LANES];
    tag_stage_find_banks(lines->line, lines->count, bank_times_8);
    for (uint32_t b = 0; b < TAG_BANKS; b++)
        lanes_clear(stage->words + b * WARP_LANES);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t place = next_places >> bank_times_8[i] & 0xff;
        stage->words[place] = lines->words[0][i] | lines->words[1][i];
        next_places += 1U << bank_times_8[i];
    }
    stage->wavefronts = tag_stage_highest(next_places - first_places);
}

/* 1 in each field of `group` bits that is not 0; `top` has the highest bit of each. */
static inline uint32_t fields_in_use(uint32_t fields, uint32_t top, uint32_t group)
{
    return ((((fields & ~top) + ~top) | fields) & top) >> (group - 1);
}

/* The passes of the wavefronts: for each group of lanes, the most lines of which it wants the same
 * word. */
static uint32_t count_passes(const struct tag_stage *stage, uint32_t group)
{
    const uint32_t top = group == 32 ? 0x80000000U : group == 16 ? 0x80008000U : 0x80808080U;
    uint32_t sum[BLOCK] = {0}, all = 0; /* in a field of bits for each group */
    for (uint32_t first = 0; first < stage->wavefronts; first += BLOCK) {
        const uint32_t *w0 = stage->words + first, *w1 = w0 + WARP_LANES;
        const uint32_t *w2 = w1 + WARP_LANES, *w3 = w2 + WARP_LANES;
        for (uint32_t i = 0; i < BLOCK; i++) {
            uint32_t either_01 = w0[i] | w1[i], both_01 = w0[i] & w1[i];
            uint32_t either_23 = w2[i] | w3[i], both_23 = w2[i] & w3[i];
            sum[i] += fields_in_use(either_01 | either_23, top, group) +
                      fields_in_use(both_01 | both_23 | (either_01 & either_23), top, group) +
                      fields_in_use((both_01 & either_23) | (either_01 & both_23), top, group) +
                      fields_in_use(both_01 & both_23, top, group);
        }
    }
    for (uint32_t i = 0; i < BLOCK; i++)
        all += sum[i];
    for (uint32_t step = WARP_LANES / 2; step >= group; step /= 2)
        all += all >> step;
    return all & lanes_range(0, group);
}

struct l1_wavefronts l1stage_count_lines(struct warp_lines *lines)
{
    const struct warp_access *a = lines->access;
    const uint32_t group = access_line_words(a);
    struct tag_stage stage;
    struct l1_wavefronts sum;
    if (l1stage_affine_count(a, &sum))
        return sum;
    coalesce_lines_find_words(lines);
    if (lines->count == 1) /* 1.15 to 1.4 times the rate of the rules */
        return (struct l1_wavefronts){
            1, lanes_count_groups(lines->words[0][0] | lines->words[1][0], group)};
    place_lines(lines, &stage);
    return (struct l1_wavefronts){stage.wavefronts, a->op == OP_STORE
                                                        ? l1stage_store_passes(&stage, a)
                                                        : count_passes(&stage, group)};
}

struct l1_wavefronts l1stage_count(const struct warp_access *a)
{
    struct warp_lines lines;
    coalesce_lines_start(&lines, a);
    return l1stage_count_lines(&lines);
}
