/* sm_fills.h - the lines of an SM's cache that are on their way to it: who brings them, and when they arrive once
 * that is known. A table of one place for each few lines: a later line takes the place of an earlier one. */
#ifndef WARPLENS_SIM_TIME_SM_FILLS_H
#define WARPLENS_SIM_TIME_SM_FILLS_H

#include "sim/time/cache.h"

struct sm_fill {
    uint32_t line;
    uint32_t asked; /* the latest request for it, modulo 2^32 */
};

struct sm_fills {
    struct sm_fill *fills; /* looked at for lines on their way alone: never cleared */
    uint32_t *cycles; /* when they arrive, modulo 2^32: by the requests, when they are answered */
    uint32_t mask;
};

static inline uint32_t sm_fills_place(const struct sm_fills *fills, uint32_t line)
{
    return cache_fill_place(line, fills->mask);
}

#endif
