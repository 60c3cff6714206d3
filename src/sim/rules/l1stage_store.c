/* l1stage_store.c - the data stage of stores.
 *
 * A store collects tag wavefronts in 8 places, or 4 for words of 1 and 2 bytes, and lets the lanes
 * of full places pass the 32 data banks together. A later wavefront waits for the place of the one
 * 8 (or 4) before it, which is free when the lines before that one have left, one after another.
 * Wavefronts whose places become free soon after one another pass together. A batch of narrow words
 * that takes more than 8 passes makes some of them again when another batch follows.
 *
 * Source: 539 single stores measured on an H200 (validation/). Equal where one batch suffices (230
 * of 230). Beyond that the constants below are fitted: equal on 219 of 309, 4.9 % off on average.
 */
#include "sim/rules/l1stage.h"

#include "sim/rules/lanes.h"
#include "sim/rules/tag_stage.h"

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

/* In time units of the fit: what a line takes to leave, what a wavefront comes after the one before
 * it at the earliest, and how long a batch waits for another wavefront. */
enum { LINE_TIME = 5, WAVEFRONT_TIME = 1, PATIENCE = 6 };

/* Of the passes of a batch that another one follows, those beyond the first are made again, up to
 * the second. */
enum { PASSES_MADE_ONCE = 8, PASSES_MADE_AGAIN = 7 };

static uint32_t latest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* When each wavefront comes to the data stage. */
static void find_arrivals(const uint8_t lines[WARP_LANES], uint32_t wavefronts, uint32_t places,
                          uint32_t arrival[WARP_LANES])
{
    uint32_t leaves[WARP_LANES]; /* when the first line of the wavefront does */
    arrival[0] = leaves[0] = 0;
    for (uint32_t i = 1; i < wavefronts; i++) {
        arrival[i] = arrival[i - 1] + WAVEFRONT_TIME;
        if (i >= places)
            arrival[i] = latest(arrival[i], leaves[i - places]);
        leaves[i] = latest(arrival[i], leaves[i - 1] + LINE_TIME * lines[i - 1]);
    }
}

uint32_t l1stage_store_batches(const uint8_t lines[WARP_LANES], uint32_t wavefronts, uint32_t width,
                               uint8_t end[WARP_LANES])
{
    const uint32_t places = l1stage_store_places(width);
    uint32_t arrival[WARP_LANES], batches = 0, first = 0;
    if (wavefronts > places)
        find_arrivals(lines, wavefronts, places, arrival);
    for (uint32_t i = 1; i <= wavefronts; i++) {
        if (i < wavefronts && i < first + places &&
            (i < places || arrival[i] <= arrival[i - 1] + PATIENCE))
            continue;
        end[batches++] = (uint8_t)i;
        first = i;
    }
    return batches;
}

uint32_t l1stage_store_repeats(uint32_t width, uint32_t passes)
{
    if (width >= 4 || passes <= PASSES_MADE_ONCE)
        return 0;
    passes -= PASSES_MADE_ONCE;
    return passes < PASSES_MADE_AGAIN ? passes : PASSES_MADE_AGAIN;
}

uint32_t l1stage_store_passes(const struct tag_stage *stage, const struct warp_access *a)
{
    const uint32_t group = access_line_words(a);
    uint8_t lines[WARP_LANES], end[WARP_LANES];
    uint32_t passes = 0, first = 0;
    for (uint32_t i = 0; i < stage->wavefronts; i++) {
        const uint32_t *w = stage->words + i;
        lines[i] = (uint8_t)((w[0] != 0) + (w[WARP_LANES] != 0) + (w[2 * WARP_LANES] != 0) +
                             (w[3 * WARP_LANES] != 0));
    }
    const uint32_t batches = l1stage_store_batches(lines, stage->wavefronts, a->width, end);
    for (uint32_t i = 0; i < batches; first = end[i++]) {
        uint32_t batch = count_together(stage, first, end[i], group);
        passes += batch + (i + 1 < batches ? l1stage_store_repeats(a->width, batch) : 0);
    }
    return passes;
}
