/* banks.h - shared memory: one warp access -> passes through the banks. Pure functions, no state.
 *
 * A pass is one trip through the bank array (a "wavefront" to Nsight Compute, a "transaction" to
 * nvprof). Conflicts are the passes beyond those the width needs anyway. docs/model.md restates
 * every rule with its source.
 */
#ifndef WARPLENS_SIM_RULES_BANKS_H
#define WARPLENS_SIM_RULES_BANKS_H

#include "sim/rules/access.h"

enum bank_rule {
    /* sm_1x: 16 banks of 4 bytes, per half-warp, in steps: one word is broadcast to every lane that
     * wants it (the word of the lowest lane not yet served) and every other bank serves one lane's
     * address. Words of 8 and 16 bytes are 2 and 4 separate 4-byte requests.
     * [Programming Guide 3.2, G.3.3] */
    BANKS_HALF_WARP_16,
    /* sm_2x: 32 banks of 4 bytes; lanes in one word never conflict; 8-byte words per half-warp,
     * 16-byte words per quarter-warp with one extra pass each. [Programming Guide 5.5, G.4.3] */
    BANKS_FERMI_32,
    /* sm_3x, 4-byte mode: bank = word mod 32; words i and i + 32 of one aligned 64-word segment
     * come together. 8-byte words: whole warp; 16-byte words: per half-warp. [PG 5.5, G.5.3] */
    BANKS_KEPLER_4,
    /* sm_3x, 8-byte mode: 32 banks of 8 bytes, bank = (address / 8) mod 32. 16-byte words per
     * half-warp. [PG 5.5, G.5.3] */
    BANKS_KEPLER_8,
    /* sm_50 to sm_62: 32 banks of 4 bytes, any words multicast; 8-byte words per half-warp, 16-byte
     * words per quarter-warp, never merged. */
    BANKS_GROUPED_32,
    /* sm_70 to sm_90: as BANKS_GROUPED_32, and loads merge pairs of groups: if for x = 1 or for x =
     * 2 every active lane t of the whole warp has its partner t ^ x inactive or on the same
     * address, groups double in size (8-byte: one whole-warp group; 16-byte: two half-warp groups).
     */
    BANKS_PAIRED_32,
    BANK_RULE_COUNT
};

struct bank_passes {
    uint32_t passes; /* trips through the bank array; at least 1 */
    uint32_t ideal;  /* trips with the same lanes and groups but no two words in one bank */
};

/* Loads and stores. Groups of lanes: passes add up over the groups that have an active lane. The
 * ideal is 1 for each such group (sm_1x: 1 for each half-warp with an active lane and each of its
 * 4-byte requests). `a` must be a SPACE_SHARED access. */
struct bank_passes banks_count(enum bank_rule rule, const struct warp_access *a);

/* Atomics: passes = the most active lanes in one bank, whether they want one word or several; a
 * word wider than a bank counts in each bank that it takes. 8-byte words go by the groups of lanes
 * that loads and stores of the rule go by, added up; the ideal is 1 for each group with an active
 * lane. Measured on sm_90, applied to every generation; sm_1x: half-warps and 16 banks. */
struct bank_passes banks_count_atomic(enum bank_rule rule, const struct warp_access *a);

/* Constant memory: one address a pass, so passes = distinct addresses (of `width` bytes) over the
 * warp, or over each half-warp and added up when `half_warp` is set (sm_1x). */
uint32_t banks_constant_passes(const struct warp_access *a, bool half_warp);

/* The bank of a byte address, for drawings. */
uint32_t banks_bank_of(enum bank_rule rule, uint64_t addr);

/* Number of banks: 16 or 32. */
uint32_t banks_count_of(enum bank_rule rule);

#endif
