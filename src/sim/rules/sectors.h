/* sectors.h - sets of the four sectors of a line, as masks. */
#ifndef WARPLENS_SIM_RULES_SECTORS_H
#define WARPLENS_SIM_RULES_SECTORS_H

#include <stdint.h>

static inline uint32_t sectors_count(uint32_t mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

#endif
