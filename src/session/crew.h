/* crew.h - the GPUs of a session at work, each on a thread of its own.
 *
 * The session hands out work in order; every GPU does all of it in that order, at its own pace. A
 * GPU may be CREW_AHEAD_MAX pieces behind: then the session waits, so that memory stays bounded.
 * Results do not depend on the threads: GPUs share nothing but blocks of steps that are complete.
 * Where no thread can be had the session's own does the work.
 */
#ifndef WARPLENS_SESSION_CREW_H
#define WARPLENS_SESSION_CREW_H

#include "session/gpu_run.h"

enum { CREW_AHEAD_MAX = 128 };

struct crew;

/* Threads, if `threads`, for runs[0] to runs[count - 1], which must outlive the crew. NULL when memory is short. */
struct crew *crew_new(struct gpu_run *runs, size_t count, bool threads);
/* Ends the threads, in whatever state they are; drops work that is not done. */
void crew_free(struct crew *crew);

/* Hands a complete block to all; takes over the caller's reference to it. False: some GPU has failed. */
bool crew_run_block(struct crew *crew, struct step_block *block, size_t site_count,
                    uint64_t shared_bytes);
/* Waits until all work is done, by all. False: some GPU has failed. */
bool crew_wait(struct crew *crew);

#endif
