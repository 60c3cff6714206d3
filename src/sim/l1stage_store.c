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

#include "sim/l1stage_parts.h"
#include "sim/lanes.h"

/* For each bit, how many masks have it, as a number of 6 digits: digit k of it in that bit of
 * digit[k]. Counting the words of a batch bank by bank takes 1.1 to 3 times as long. */
struct bit_sums {
    uint32_t digit[6];
};

/* Adds the four masks of a wavefront to the sums, as adders in hardware do. */
static void add_wavefront(struct bit_sums *sums, const uint32_t words[TAG_BANKS * WARP_LANES],
                          uint32_t wavefront)
{
    const uint32_t *w = words + wavefront;
    uint32_t w0 = w[0], w1 = w[WARP_LANES], w2 = w[2 * WARP_LANES], w3 = w[3 * WARP_LANES];
    uint32_t one_01 = w0 ^ w1, two_01 = w0 & w1, one_23 = w2 ^ w3, two_23 = w2 & w3;
    uint32_t carry = one_01 & one_23;
    uint32_t add[3] = {one_01 ^ one_23, two_01 ^ two_23 ^ carry,
                       (two_01 & two_23) | (carry & (two_01 ^ two_23))};
    carry = 0;
#pragma GCC unroll 6 /* here and below: 1.4 times as fast */
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t digit = sums->digit[k], more = k < 3 ? add[k] : 0;
        sums->digit[k] = digit ^ more ^ carry;
        carry = (digit & more) | (carry & (digit ^ more));
    }
}

/* The highest of the sums of some bits. */
static uint32_t highest_sum(const struct bit_sums *sums, uint32_t bits)
{
    uint32_t highest = 0;
#pragma GCC unroll 6
    for (uint32_t k = 6; k-- > 0;) {
        uint32_t with_digit = bits & sums->digit[k];
        highest |= (uint32_t)(with_digit != 0) << k;
        bits = with_digit != 0 ? with_digit : bits;
    }
    return highest;
}

/* The passes of wavefronts that go together: for each group of lanes, the most lines of which it
 * wants the same word. */
static uint32_t count_together(const struct tag_stage *stage, uint32_t first, uint32_t end,
                               uint32_t group)
{
    struct bit_sums sums = {{0}};
    uint32_t passes = 0;
    for (uint32_t i = first; i < end; i++)
        add_wavefront(&sums, stage->words, i);
    for (uint32_t lane = 0; lane < WARP_LANES; lane += group)
        passes += highest_sum(&sums, lanes_range(lane, group));
    return passes;
}

uint32_t l1stage_store_passes(const struct tag_stage *stage, const struct warp_access *a)
{
    const uint32_t together = a->width >= 4 ? 8 : 4, group = access_line_words(a);
    uint32_t passes = 0, end;
    for (uint32_t first = 0; first < stage->wavefronts; first = end) {
        end = first + (first == 0 || stage->lines == stage->wavefronts ? together : 1);
        end = end < stage->wavefronts ? end : stage->wavefronts;
        passes += count_together(stage, first, end, group);
    }
    return passes;
}
