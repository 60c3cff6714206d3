/* store_wait.h - what a warp has stored to shared memory from loads that may still be under way.
 *
 * Shared memory and global memory are apart, so the compiler for the GPU puts loads from global memory in front of stores
 * to shared memory that stand before them in the source: `a[t] = x[i]; b[t] = y[i];` has both loads under way at once. A
 * load from shared memory stays behind a store to it, which waits for what it stores. A barrier waits for everything.
 */
#ifndef WARPLENS_TRACER_STORE_WAIT_H
#define WARPLENS_TRACER_STORE_WAIT_H

#include "sim/rules/access.h"

/* Of a warp, since its last barrier. */
struct store_wait {
    bool has_shared_load; /* since it waited for all loads */
    bool has_stored;      /* to shared memory, what may not be there yet */
    uint32_t loads;       /* since it stored that, and atomics */
};

/* The warp's next access; limits its loads_left. Any that is no load waits for all of its loads but stores to shared
 * memory. */
static inline void store_wait_access(struct store_wait *wait, struct warp_access *access)
{
    const bool is_shared = access->space == SPACE_SHARED;
    if (access->op == OP_STORE && is_shared) {
        if (wait->has_shared_load)
            access->loads_left = 0;
        wait->has_stored = access->loads_left > 0;
        wait->loads = 0;
    } else if (access->op == OP_LOAD && is_shared && wait->has_stored) {
        if (wait->loads < access->loads_left)
            access->loads_left = (uint8_t)wait->loads;
        wait->has_stored = false;
    }
    if (access->loads_left == 0 || (access->op != OP_LOAD && !is_shared))
        wait->has_shared_load = wait->has_stored = false;
    wait->has_shared_load |= is_shared && access->op != OP_STORE;
    wait->loads += access->op != OP_STORE && wait->has_stored;
}

#endif
