/* judge_parts.h - what the files of the judge share. */
#ifndef WARPLENS_SIM_RULES_JUDGE_PARTS_H
#define WARPLENS_SIM_RULES_JUDGE_PARTS_H

#include "sim/rules/judge.h"

/* Applies the rules and adds what follows to the counters of the access's site. */
void judge_fully(struct judge *judge, const struct warp_access *access,
                 struct footprint *footprint);

#endif
