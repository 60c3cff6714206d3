/* l1stage.h - inside the L1 of sm_70 to sm_90: tag-stage and data-stage wavefronts of one access.
 *
 * Measured on an H200 (sm_90) and applied to the other sectored-L1 generations; docs/model.md has
 * the measurements. Pure functions, no state.
 *
 * Tag stage: four tag banks, each looks up one 128-byte line a wavefront. Walking the active lanes
 * in order, the k-th new line of a bank goes into wavefront k.
 * Data stage: the lanes of each tag wavefront pass through 32 banks of 4 bytes as in shared memory
 * (8-byte words per half-warp, 16-byte words per quarter-warp, never merged).
 */
#ifndef WARPLENS_SIM_RULES_L1STAGE_H
#define WARPLENS_SIM_RULES_L1STAGE_H

#include "sim/rules/access.h"
#include "sim/rules/coalesce.h"

struct l1_wavefronts {
    uint32_t tag;  /* 1 to 32 */
    uint32_t data; /* sum of the bank passes */
};

/* The tag bank, 0 to 3, of a 128-byte line number (byte address >> 7). Bits 0 to 22 take part;
 * higher bits were not measured and are ignored. */
uint32_t l1stage_tag_bank(uint64_t line);

/* Wavefronts of a global load or store. The data stage of stores is exact up to 8 tag wavefronts
 * (4 for words of 1 and 2 bytes) and fitted beyond; docs/model.md has the figures. */
struct l1_wavefronts l1stage_count(const struct warp_access *a);

/* The same, with the lines of the access shared with other rules. */
struct l1_wavefronts l1stage_count_lines(struct warp_lines *lines);

/* Data-stage passes of a global atomic: in each round, as for loads, but lanes of one tag wavefront
 * that want one bank go one after another, whichever word they want. An atomic that returns a value
 * makes them twice. */
uint32_t l1stage_atomic_passes(const struct warp_access *a);

/* The tag wavefronts that a store of words of `width` bytes can hold back. */
static inline uint32_t l1stage_store_places(uint32_t width)
{
    return width >= 4 ? 8 : 4;
}

/* Which tag wavefronts of a store pass the data banks together, given the lines of each: the number
 * of batches, and where each ends, as the number of its last wavefront plus 1. */
uint32_t l1stage_store_batches(const uint8_t lines[WARP_LANES], uint32_t wavefronts, uint32_t width,
                               uint8_t end[WARP_LANES]);

/* How many of its passes a batch makes again when another one follows. */
uint32_t l1stage_store_repeats(uint32_t width, uint32_t passes);

#endif
