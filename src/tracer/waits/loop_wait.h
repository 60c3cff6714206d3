/* loop_wait.h - where a warp waits because a loop uses what it has loaded.
 *
 * At the end of an iteration the values that it loaded have been used. Where the compiler for the GPU unrolls the loop
 * (loop_step.h), that is so at the end of every 4th, 8th or 16th only: as it is seen in machine code for sm_90, loops are
 * unrolled by 4, those of few instructions once more by 4. What is left of their iterations goes by 8, by 4 and one by
 * one. A jump back to another head begins a new group of iterations: an inner loop's end is not one of the outer
 * iteration. Only a load in the loop itself makes the warp wait; it waits then for those before as well. Stores, atomics
 * and barriers wait for all loads on their own.
 */
#ifndef WARPLENS_TRACER_LOOP_WAIT_H
#define WARPLENS_TRACER_LOOP_WAIT_H

#include "sim/rules/access.h"
#include "machine_code/loop_step.h"

/* What the compiler for the GPU makes of a loop. */
struct loop_shape {
    enum loop_kind kind;
    bool is_straight; /* no branch that a GPU takes is in it */
    uint32_t bytes;   /* of code, from the head to behind the jump back to it */
    uint32_t
        together; /* iterations whose loads are under way at once, where there are as many: 1, 4, 16; 0: all */
};

/* `instructions`: of an iteration as a GPU has it; `size`: as in struct address_loop, 0: not known. */
uint32_t loop_together(const struct loop_step *step, unsigned instructions, uint32_t size);

/* Of a warp, since its last barrier. */
struct loop_wait {
    uint32_t head; /* of the loop that lanes jumped back in last; 0: none */
    uint32_t left; /* iterations of it until the group of them ends */
    uint64_t load; /* the latest load's meta (engine.h); 0: nothing to wait for */
    bool waits;    /* the warp's next access waits for all of its loads */
};

/* Lanes jump back from that place in the code, in a loop of that shape. Returns whether more iterations of the group follow. */
struct merged_event;
bool loop_wait_jump(struct loop_wait *wait, const struct merged_event *jump, uint32_t from_pc,
                    struct loop_shape shape);

/* An access with that meta; limits its loads_left. */
static inline void loop_wait_access(struct loop_wait *wait, uint64_t meta,
                                    struct warp_access *access)
{
    if (access->op == OP_STORE && access->space == SPACE_SHARED)
        return; /* which waits for nothing but what it stores: store_wait.h */
    const bool is_load = access->op == OP_LOAD;
    if (wait->waits && is_load)
        access->loads_left = 0;
    wait->waits = false;
    wait->load = is_load ? meta : 0;
}

#endif
