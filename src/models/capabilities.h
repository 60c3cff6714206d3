/* capabilities.h - what a GPU does because of its compute capability: a row each, or one for several
 * that do not differ. Whoever would ask for a compute capability by number asks for a field here.
 * Numbers that a chip has (sizes, limits, times) are fields of struct arch.
 */
#ifndef WARPLENS_MODELS_CAPABILITIES_H
#define WARPLENS_MODELS_CAPABILITIES_H

#include <stddef.h>
#include <stdint.h>

#include "models/rule_set.h"

enum { CARVE_OUTS_MAX = 10 };

struct capability {
    int64_t sm_first, sm_last; /* 12 and 13: sm_12 to sm_13 */
    const struct rule_set *rules;
    bool doubles_register_unit; /* for some numbers of registers a thread (sim/rules/occupancy.c) */
    bool has_read_only_loads;   /* __ldg takes the path of texture fetches */
    bool managed_faults;        /* pages of managed arrays move when touched, not at the launch */
    bool stores_update_l1;      /* a global store updates sectors that are in L1, or drops them */
    bool l1_stages_measured;    /* on this capability: no need to say that it was another one */
    /* Shared memory that the array shared with L1 can be cut into, in KB, growing; 0 behind the last.
     * All 0: L1 is what shared memory leaves, to the byte. */
    uint16_t carve_out_kilobytes[CARVE_OUTS_MAX];
};

/* Oldest first; no two rows have a capability in common. */
extern const struct capability capabilities[];
extern const size_t capability_count;

/* The row of a compute capability, major and minor digit; NULL when there is none. Every GPU that
 * rules_for has rules for has one. */
const struct capability *capability_find(int64_t sm);

#endif
