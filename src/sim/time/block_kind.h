/* block_kind.h - one number for what a block does: equal for blocks whose warps do the same steps, whatever the
 * addresses that these begin at. A step's own number comes from step_shapes.c, which needs it anyway.
 */
#ifndef WARPLENS_SIM_TIME_BLOCK_KIND_H
#define WARPLENS_SIM_TIME_BLOCK_KIND_H

#include <stdint.h>

static inline uint64_t block_kind_mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0x94d049bb133111ebULL;
    return x ^ x >> 29;
}

/* A warp's number, with one step more: the order counts. */
static inline uint64_t block_kind_add(uint64_t warp, uint64_t step)
{
    return (warp ^ step) * 0x9e3779b97f4a7c15ULL + (warp >> 31) + 1;
}

/* All warps of a block. The order in which they were traced does not count. */
static inline uint64_t block_kind_of(const uint64_t *warps, uint32_t count)
{
    uint64_t kind = 0;
    for (uint32_t w = 0; w < count; w++)
        kind += block_kind_mix(warps[w] + w * 0xbf58476d1ce4e5b9ULL);
    return kind;
}

#endif
