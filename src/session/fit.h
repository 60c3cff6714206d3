/* fit.h - does a launch fit on the GPU of a result? */
#ifndef WARPLENS_SESSION_FIT_H
#define WARPLENS_SESSION_FIT_H

#include "result/result.h"

enum { FIT_MESSAGE_BYTES = 512 };

/* Whether a GPU of that name allows such blocks and grids; `message` says why not. */
bool fit_allows_block(const struct arch *arch, const char *gpu, const struct launch_info *launch,
                      char *message);

/* Finds how many blocks an SM holds, now that the shared memory of a block is known; false when it
 * is none, and `message` says why. */
bool fit_find_occupancy(struct result *result, uint64_t shared_bytes, char *message);

#endif
