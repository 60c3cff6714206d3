/* sectors.h - global memory as caches and DRAM see it: lines of four sectors, and sets of a line's
 * sectors as masks. */
#ifndef WARPLENS_SIM_RULES_SECTORS_H
#define WARPLENS_SIM_RULES_SECTORS_H

#include <stdint.h>

enum {
    SECTOR_LOG2 = 5,
    SECTOR_BYTES = 1 << SECTOR_LOG2,
    LINE_LOG2 = 7,
    LINE_BYTES = 1 << LINE_LOG2,
    LINE_SECTORS = LINE_BYTES / SECTOR_BYTES
};

#define ALL_SECTORS 15U /* unsigned, for fields of bits */

static inline uint32_t sectors_count(uint32_t mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

/* The sectors that come along when these are moved by 1, 2 or 4 at a time. */
static inline uint32_t sectors_widened(uint32_t sectors, uint32_t at_a_time)
{
    if (at_a_time >= 4)
        return ALL_SECTORS;
    return at_a_time == 2 ? ((sectors | sectors >> 1) & 5) * 3 : sectors;
}

/* The sector of its line that an address lies in, as a mask. */
static inline uint32_t sector_of(uint64_t addr)
{
    return 1U << (addr >> SECTOR_LOG2 & (LINE_SECTORS - 1));
}

#endif
