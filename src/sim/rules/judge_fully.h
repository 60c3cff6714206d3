/* judge_fully.h - one access through all rules, with no memory of earlier ones. Internal to the judge. */
#ifndef WARPLENS_SIM_RULES_JUDGE_FULLY_H
#define WARPLENS_SIM_RULES_JUDGE_FULLY_H

#include "sim/rules/judge.h"

/* Applies the rules and adds what follows to the counters of the access's site. */
void judge_fully(struct judge *judge, const struct warp_access *access,
                 struct footprint *footprint);

/* The same of an asynchronous copy, to its site's counters. */
void judge_copy(const struct warp_access *access, struct counters *c, struct footprint *footprint);
/* ... of a bulk copy: it asks for nothing here, its pieces do (bulk_copy.h). */
void judge_bulk_copy(const struct warp_access *access, struct counters *c,
                     struct footprint *footprint);

/* ... of an access of another block's shared memory. */
void judge_cluster(const struct warp_access *access, struct counters *c,
                   struct footprint *footprint);

#endif
