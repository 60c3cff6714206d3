/* tile.h - how the words of an access lie in shared memory, as far as another place for them could be tried. */
#ifndef WARPLENS_SIM_RULES_TILE_H
#define WARPLENS_SIM_RULES_TILE_H

#include <stdbool.h>

#include "sim/rules/access.h"
#include "sim/rules/swizzle.h"

enum { TILE_PITCHES = 4 };

struct tile {
    uint64_t base;               /* address of what has offset 0 */
    uint64_t offset[WARP_LANES]; /* bytes, before the swizzle; by lane of the access */
    uint32_t unit_bytes;         /* that the swizzle's bits count: an element, or a byte */
    struct swizzle swizzle;      /* as it is */
    uint32_t pitches;            /* lengths of rows in bytes, shortest first; 0: not known */
    uint32_t pitch_bytes[TILE_PITCHES];
    bool is_laid_out; /* somebody has given a layout or a swizzle */
};

/* Where bytes at an offset lie from the base on. */
static inline uint64_t tile_swizzled(struct swizzle swizzle, uint32_t unit_bytes, uint64_t offset)
{
    return swizzle_apply(swizzle, offset / unit_bytes) * unit_bytes + offset % unit_bytes;
}

#endif
