/* hoist.h - the order in which nvcc's code has the loads of iterations that it has unrolled.
 *
 * Of a group of iterations (loop_wait.h) the loads stand together, in front of what uses them: of
 *
 *     for (int e = first; e < last; e++)
 *         sum += x[column[e]];
 *
 * first all of column, then all of x. So it is in machine code for sm_90. Loads that need no value of the group go first, then those
 * whose addresses come from them, and so on; each kind in the order of the source. Loads do not pass stores, atomics, barriers and
 * operations of the warp, but those that are known to read what no thread writes (const __restrict__, __ldg) pass stores to global
 * memory. Groups that access shared memory stay as they are.
 *
 * Held are accesses of the warp that runs, since it last had anything else; so there is one of it.
 */
#ifndef WARPLENS_TRACER_HOIST_H
#define WARPLENS_TRACER_HOIST_H

#include "sim/rules/access.h"

/* The next access of the warp, with its event's meta (engine.h): given to the sink at once, or with others when their group is complete.
 * `needed`: loads that it needs besides that of its loads_left: bit i is one that i others followed. */
void hoist_access(const struct warp_access *access, uint64_t meta, uint16_t needed);

/* The warp jumps back, by an event of that meta, to a loop's head; `bytes`: of the loop's code. `goes_on`: more iterations of its
 * group follow. `is_whole`: the loop is unrolled whole, and straight code of the loop around it. */
void hoist_jump(uint64_t meta, uint32_t bytes, bool goes_on, bool is_whole);

/* Lanes of the warp give each other values, by a shuffle or a vote: loads pass it whose addresses do not come from one. */
void hoist_exchange(void);

/* Something else follows, of this warp or another one: gives what is held. */
void hoist_end(void);

#endif
