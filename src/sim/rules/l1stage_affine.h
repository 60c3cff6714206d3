/* l1stage_affine.h - the L1 wavefronts of a full warp whose addresses rise or fall by one step, where they
 * follow without a look at what lanes want of each line.
 *
 * tests/test_oracle.c holds them against the oracle, and says how many of its cases come here.
 */
#ifndef WARPLENS_SIM_RULES_L1STAGE_AFFINE_H
#define WARPLENS_SIM_RULES_L1STAGE_AFFINE_H

#include "sim/rules/l1stage.h"
#include "sim/rules/lanes.h"
#include "sim/rules/tag_stage.h"

/* 32 words of 16 bytes that start inside a line. */
enum { MOST_CONTIGUOUS_LINES = 5 };

/* The tag wavefront of each line from the first to `end`, an offset in bytes; their number. */
static inline uint32_t l1stage_affine_place(uint64_t first, uint32_t end,
                                            uint32_t wavefront[MOST_CONTIGUOUS_LINES])
{
    uint8_t seen[TAG_BANKS] = {0};
    uint32_t wavefronts = 0;
    for (uint32_t i = 0; i * LINE_BYTES < end; i++) {
        wavefront[i] = seen[l1stage_tag_bank(first + i)]++;
        wavefronts = wavefront[i] < wavefronts ? wavefronts : wavefront[i] + 1;
    }
    return wavefronts;
}

/* A gapless array: each group of lanes takes up to 128 bytes in a row, so its words share no bank
 * and a load makes one pass, or two when it straddles lines of two wavefronts. 3.5 to 4 times the rate
 * of the rules, and 1.14 times more in one line. */
static inline struct l1_wavefronts l1stage_affine_contiguous(const struct warp_access *a)
{
    const uint32_t offset = (uint32_t)(a->base & (LINE_BYTES - 1));
    const uint32_t end = offset + (uint32_t)WARP_LANES * a->width;
    const uint32_t span = access_line_words(a) * a->width;
    uint32_t wavefront[MOST_CONTIGUOUS_LINES];
    struct l1_wavefronts sum = {1, 1};
    if (end <= LINE_BYTES)
        return sum;
    sum = (struct l1_wavefronts){l1stage_affine_place(a->base >> LINE_LOG2, end, wavefront), 0};
    for (uint32_t at = offset; at < end; at += span) {
        uint32_t first = wavefront[at >> LINE_LOG2];
        uint32_t last = wavefront[(at + span - 1) >> LINE_LOG2];
        sum.data += first == last || a->op == OP_STORE ? 1 : 2;
    }
    return sum;
}

/* Every lane on a line of its own, and all on the same word of it: each line is a pass, whichever
 * wavefronts go together; not for narrow stores, which make passes again. */
static inline bool l1stage_affine_is_column(const struct warp_access *a)
{
    return access_is_full_affine(a) && a->stride != 0 && a->stride % LINE_BYTES == 0 &&
           (a->op == OP_LOAD || a->width >= 4);
}

/* 2.2 to 2.5 times the rate of the rules. */
static inline struct l1_wavefronts l1stage_affine_column(const struct warp_access *a)
{
    uint32_t bank_times_8[WARP_LANES], lines_of_banks = 0; /* a byte each */
    uint64_t line[WARP_LANES];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        line[i] = access_addr(a, i) >> LINE_LOG2;
    tag_stage_find_banks(line, WARP_LANES, bank_times_8);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lines_of_banks += 1U << bank_times_8[i];
    return (struct l1_wavefronts){tag_stage_highest(lines_of_banks), WARP_LANES};
}

/* False, and `wavefronts` is as it was: the general way is needed. */
static inline bool l1stage_affine_count(const struct warp_access *a,
                                        struct l1_wavefronts *wavefronts)
{
    if (access_is_contiguous(a))
        *wavefronts = l1stage_affine_contiguous(a);
    else if (l1stage_affine_is_column(a))
        *wavefronts = l1stage_affine_column(a);
    else
        return false;
    return true;
}

#endif
