/* rules.h - which rule each kind of access follows on a GPU: a row of a table by compute
 * capability, and the GPU's own switches (L1 for global loads, Kepler's bank mode). */
#ifndef WARPLENS_SIM_RULES_RULES_H
#define WARPLENS_SIM_RULES_RULES_H

#include "models/arch.h"
#include "sim/rules/banks.h"
#include "sim/rules/coalesce.h"
#include "sim/counters/counters.h"

struct rule_set {
    const char *name; /* "sm_12, sm_13" */
    enum coalesce_rule global[OP_COUNT];
    enum coalesce_rule local[OP_COUNT];
    enum coalesce_rule read_only; /* texture fetches, and __ldg where the path is apart */
    bool read_only_apart;         /* read-only global loads do not count as global loads */
    bool l1_stages;               /* tag-stage and data-stage wavefronts are counted */
    bool constant_half_warp;
    enum bank_rule banks;
    enum profiler profiler;
};

/* The rules for a GPU. False when its compute capability has none (the table says which have). */
bool rules_for(const struct arch *arch, struct rule_set *rules);

#endif
