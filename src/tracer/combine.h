/* combine.h - atomics of a warp's lanes at one address that the compiler for a GPU makes one of.
 *
 * Where the address does not depend on the thread, nvcc has the lanes add up among themselves and one of them do the
 * atomic: by counting lanes (VOTE, POPC) where they add a constant, by REDUX where each has a value of its own. Machine code
 * of nvcc 13 for sm_90, global and shared memory: 4-byte integers alone; Add and Sub always, Min, Max, And, Or and Xor
 * where nobody uses the result; no floats, no Exch, CAS, Inc and Dec. What is left of an increment in
 * shared memory whose result nobody uses is ATOMS.POPC.INC, in which all lanes take part.
 */
#ifndef WARPLENS_TRACER_COMBINE_H
#define WARPLENS_TRACER_COMBINE_H

#include "tracer/engine.h"

/* The atomic of that event is one of these, and lanes are to be combined at all. */
static inline bool combine_may(uint64_t meta)
{
    return meta >> EVENT_COMBINES_SHIFT & 1 && engine.joins_accesses && !engine.wants_values;
}

/* Leaves one lane of the access if its address is the same in all threads of the block by its computation. */
void combine_lanes(struct warp_access *access, uint64_t meta);

#endif
