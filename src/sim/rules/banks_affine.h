/* banks_affine.h - the passes of a full warp whose addresses rise or fall by one step, from its stride and
 * its start.
 *
 * tests/test_oracle.c holds them against the oracle, and says how many of its cases come here.
 */
#ifndef WARPLENS_SIM_RULES_BANKS_AFFINE_H
#define WARPLENS_SIM_RULES_BANKS_AFFINE_H

#include "sim/rules/lanes.h"

/* One access on one shape: banks wide enough for a word, and the lanes that go together. */
struct bank_request {
    uint32_t unit_log2; /* bytes of a set of banks that a word takes */
    uint32_t span_log2;
    uint32_t row_log2;
    uint32_t group_lanes;
};

/* Whether the banks are met in a fixed rhythm. */
static inline bool banks_affine_fits(const struct bank_request *r, const struct warp_access *a)
{
    return access_is_full_affine(a) && a->stride != 0 &&
           (access_step(a) & ((1U << r->unit_log2) - 1)) == 0;
}

/* Then: the passes of the group of lanes from `first` on. 3 to 6.5 times the rate of the rules on shared
 * memory. */
uint32_t banks_affine_group(struct bank_request r, const struct warp_access *a, uint32_t first);

/* Whether lanes want no more banks in a row than there are, as with one word for all: 1.6 to 2.7 times the
 * rate. Not for sm_1x, which serves lanes and not rows. */
static inline bool banks_affine_is_one_row(const struct bank_request *r,
                                           const struct warp_access *a)
{
    return access_is_full_affine(a) && access_step(a) < 1U << r->unit_log2;
}

#endif
