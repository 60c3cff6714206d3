/* loop_wait.h - where a warp waits because a loop uses what it has loaded.
 *
 * At the end of an iteration the values that it loaded have been used. Where the compiler for the
 * GPU unrolls the loop (loop_step.h), that is so at the end of every 4th or 16th only. A jump back
 * to another head begins a new group of iterations: an inner loop's end is not one of the outer
 * iteration. Only a load in the loop itself makes the warp wait; it waits then for those before as
 * well. Stores, atomics and barriers wait for all loads on their own.
 */
#ifndef WARPLENS_TRACER_LOOP_WAIT_H
#define WARPLENS_TRACER_LOOP_WAIT_H

#include "sim/rules/access.h"
#include "machine_code/loop_step.h"

/* Of a warp, since its last barrier. */
struct loop_wait {
    uint32_t head;       /* of the loop that lanes jumped back in last; 0: none */
    uint32_t iterations; /* of it, since the group of them began */
    uint64_t load;       /* the latest load's meta (engine.h); 0: nothing to wait for */
    bool waits;          /* the warp's next access waits for all of its loads */
};

/* Lanes jump back, with that meta, from that place in the code. */
void loop_wait_jump(struct loop_wait *wait, uint64_t meta, uint32_t from_pc);

/* An access with that meta; limits its loads_left. */
static inline void loop_wait_access(struct loop_wait *wait, uint64_t meta,
                                    struct warp_access *access)
{
    bool is_load = access->op == OP_LOAD;
    if (wait->waits && is_load)
        access->loads_left = 0;
    wait->waits = false;
    wait->load = is_load ? meta : 0;
}

#endif
