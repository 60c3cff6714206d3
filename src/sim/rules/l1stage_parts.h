/* l1stage_parts.h - what the two files of the L1 stages share. Internal to l1stage. */
#ifndef WARPLENS_SIM_RULES_L1STAGE_PARTS_H
#define WARPLENS_SIM_RULES_L1STAGE_PARTS_H

#include "sim/rules/access.h"

enum { TAG_BANKS = 4 };

/* What the tag stage makes of an access. */
struct tag_stage {
    uint32_t wavefronts;
    /* The words taken from the lines, by tag bank and wavefront, as in struct warp_lines; 0 where
     * there is no line. */
    uint32_t words[TAG_BANKS * WARP_LANES];
};

/* The data-stage passes of a store. */
uint32_t l1stage_store_passes(const struct tag_stage *stage, const struct warp_access *a);

#endif
