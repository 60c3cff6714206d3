/* tag_stage.h - what the tag stage of the L1 makes of an access. Internal to l1stage. */
#ifndef WARPLENS_SIM_RULES_TAG_STAGE_H
#define WARPLENS_SIM_RULES_TAG_STAGE_H

#include "sim/rules/access.h"

enum { TAG_BANKS = 4 };

/* What the tag stage makes of an access. */
struct tag_stage {
    uint32_t wavefronts;
    /* The words taken from the lines, by tag bank and wavefront, as in struct warp_lines; 0 where
     * there is no line. */
    uint32_t words[TAG_BANKS * WARP_LANES];
};

/* The tag banks of `count` lines, times 8. Written in fours: up to 3 behind the last are overwritten. */
void tag_stage_find_banks(const uint64_t lines[WARP_LANES], uint32_t count,
                          uint32_t banks_times_8[WARP_LANES]);

/* The highest of four bytes, which count the lines of each tag bank. */
static inline uint32_t tag_stage_highest(uint32_t bytes)
{
    uint32_t highest = 0;
    for (; bytes != 0; bytes >>= 8)
        highest = (bytes & 0xff) > highest ? bytes & 0xff : highest;
    return highest;
}

/* The data-stage passes of a store. */
uint32_t l1stage_store_passes(const struct tag_stage *stage, const struct warp_access *a);

#endif
