/* banks.h - shared memory: one warp access -> passes through the banks. Pure functions, no state.
 *
 * A pass is one trip through the bank array (a "wavefront" to Nsight Compute, a "transaction" to
 * nvprof). Conflicts are the passes beyond those the width needs anyway. docs/model.md restates
 * every rule with its source.
 */
#ifndef WARPLENS_SIM_RULES_BANKS_H
#define WARPLENS_SIM_RULES_BANKS_H

#include "sim/rules/access.h"

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

/* Whether the lanes that a bank has to serve go one at a time, also those on one word: atomics, but for
 * increments where the GPU adds up a word's. */
bool banks_serve_lanes(const struct rule_set *rules, const struct warp_access *a);

/* Any access of shared memory: as an atomic where lanes go one at a time, otherwise as a load or store. */
struct bank_passes banks_count_shared(const struct rule_set *rules, const struct warp_access *a);

/* Constant memory: one address a pass, so passes = distinct addresses (of `width` bytes) over the
 * warp, or over each half-warp and added up when `half_warp` is set (sm_1x). */
uint32_t banks_constant_passes(const struct warp_access *a, bool half_warp);

/* The bank of a byte address, for drawings. */
uint32_t banks_bank_of(enum bank_rule rule, uint64_t addr);

/* Number of banks: 16 or 32. */
uint32_t banks_count_of(enum bank_rule rule);

#endif
