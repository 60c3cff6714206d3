/* fit.h - does a launch fit on the GPU of a result? What does not fit fails the run (tracer_fail). */
#ifndef WARPLENS_SESSION_FIT_H
#define WARPLENS_SESSION_FIT_H

#include "session/result.h"

/* Refuses blocks and grids that the GPU does not allow. */
void fit_refuse_block(const struct result *result, const struct launch_info *launch);

/* Finds how many blocks an SM holds, now that the shared memory of a block is known; false when none
 * does, or when the run has failed. */
bool fit_find_occupancy(struct result *result, uint64_t shared_bytes);

#endif
