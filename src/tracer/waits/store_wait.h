/* store_wait.h - what a warp has stored to shared memory from loads that may still be under way.
 *
 * Shared memory and global memory are apart, so the compiler for the GPU puts loads from global memory in front of stores
 * to shared memory that stand before them in the source: `a[t] = x[i]; b[t] = y[i];` has both loads under way at once. A
 * load from shared memory stays behind a store to it, which waits for what it stores, and so does everything behind a branch that is left in
 * the GPU's code: `if (t == 0) a[0] = x[0] > 0 ? y[0] : 0;`. A barrier waits for everything.
 */
#ifndef WARPLENS_TRACER_STORE_WAIT_H
#define WARPLENS_TRACER_STORE_WAIT_H

#include "machine_code/code_region.h"
#include "sim/rules/access.h"

/* Of a warp, since its last barrier. */
struct store_wait {
    bool has_shared_load; /* since it waited for all loads */
    bool has_stored;      /* to shared memory, what may not be there yet */
    struct code_region stored_in;
    uint32_t loads; /* since it stored that, and atomics */
};

/* A branch is between what the warp stored and an access there. */
static inline bool store_wait_is_behind_branch(const struct store_wait *wait,
                                               struct code_region there)
{
    return wait->stored_in.function && wait->stored_in.function == there.function &&
           wait->stored_in.region != there.region;
}

/* Whether it matters where the warp's next access is. */
static inline bool store_wait_asks(const struct store_wait *wait, const struct warp_access *access)
{
    return wait->has_stored || (access->op == OP_STORE && access->space == SPACE_SHARED);
}

/* The warp's next access, there in the code, if that matters; limits its loads_left. Any that is no load waits for all of its loads but stores to shared
 * memory. */
static inline void store_wait_access(struct store_wait *wait, struct code_region there,
                                     struct warp_access *access)
{
    const bool is_shared = access->space == SPACE_SHARED;
    if (wait->has_stored &&
        ((access->op == OP_LOAD && is_shared) || store_wait_is_behind_branch(wait, there))) {
        if (wait->loads < access->loads_left)
            access->loads_left = (uint8_t)wait->loads;
        wait->has_stored = false;
    }
    if (access->op == OP_STORE && is_shared) {
        if (wait->has_shared_load)
            access->loads_left = 0;
        wait->has_stored = access->loads_left > 0;
        wait->stored_in = there;
        wait->loads = 0;
    }
    if (access->loads_left == 0 || (access->op != OP_LOAD && !is_shared))
        wait->has_shared_load = wait->has_stored = false;
    wait->has_shared_load |= is_shared && access->op != OP_STORE;
    wait->loads += access->op != OP_STORE && wait->has_stored;
}

#endif
