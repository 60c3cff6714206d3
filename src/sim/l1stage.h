/* l1stage.h - inside the L1 of sm_70 to sm_90: tag-stage and data-stage wavefronts of one access.
 *
 * Measured on an H200 (sm_90) and applied to the other sectored-L1 generations; docs/model.md has
 * the measurements. Pure functions, no state.
 *
 * Tag stage: four tag banks, each looks up one 128-byte line a wavefront. Walking the active lanes
 * in order, the k-th new line of a bank goes into wavefront k.
 * Data stage: the lanes of each tag wavefront pass through 32 banks of 4 bytes as in shared memory
 * (8-byte words per half-warp, 16-byte words per quarter-warp, never merged), plus one pass for the
 * instruction itself.
 */
#ifndef WARPLENS_SIM_L1STAGE_H
#define WARPLENS_SIM_L1STAGE_H

#include "sim/access.h"
#include "sim/coalesce.h"

struct l1_wavefronts {
    uint32_t tag;  /* 1 to 32 */
    uint32_t data; /* sum of the bank passes, plus 1 for the instruction */
};

/* The tag bank, 0 to 3, of a 128-byte line number (byte address >> 7). Bits 0 to 22 take part;
 * higher bits were not measured and are ignored. */
uint32_t l1stage_tag_bank(uint64_t line);

/* Wavefronts of a global load or store. Stores let the first tag wavefronts pass the banks
 * together: exact up to 8 of them (4 for words of 1 and 2 bytes), nearly so beyond; docs/model.md
 * has the figures, and what is open for 1- and 2-byte words. */
struct l1_wavefronts l1stage_count(const struct warp_access *a);

/* The same, with the lines of the access shared with other rules. */
struct l1_wavefronts l1stage_count_lines(struct warp_lines *lines);

#endif
