/* gpu_run.h - one GPU's part of a run: launches and blocks in, a result out. Each of the functions is
 * called by one thread at a time. Beyond it nothing knows the simulator. */
#ifndef WARPLENS_SESSION_GPU_RUN_H
#define WARPLENS_SESSION_GPU_RUN_H

#include "session/fit.h"
#include "session/repeats.h"
#include "session/sampled.h"
#include "session/session.h"
#include "sim/time/sim.h"

struct gpu_run {
    const struct session_request *request;
    struct result *result;
    struct judge judge;
    struct sim sim;                  /* all 0: rules only */
    struct launch_info launch;       /* the latest */
    bool launched;                   /* the model of time has begun the launch */
    struct result before;            /* when the launch began */
    struct counters apart;           /* what belongs to no site, at the end of the launch before */
    struct sampled *sampled;         /* NULL: all blocks are modelled in time */
    struct result_sampling told;     /* of the latest launch */
    struct repeats *repeats;         /* NULL: no launch may be repeated */
    char message[FIT_MESSAGE_BYTES]; /* of what went wrong; "" when nothing did */
};

/* Prepares request->gpus[gpu] and its result, which has its info and label. All functions return false
 * when something went wrong; nothing more is to be called then. */
bool gpu_run_start(struct gpu_run *run, const struct session_request *request, size_t gpu,
                   struct result *result);
/* The launch's pointers must live until gpu_run_launch_end. */
bool gpu_run_launch_begin(struct gpu_run *run, const struct launch_info *launch);
/* Whether the GPU has asynchronous copies. Sites are told by then. */
bool gpu_run_allows_copy(struct gpu_run *run, const struct warp_access *access);
/* Rules alone: judges an access. */
bool gpu_run_access(struct gpu_run *run, const struct warp_access *access);
/* ... counts a product. */
void gpu_run_product(struct gpu_run *run, const struct trace_copy *product);
/* Runs a closed block, whose sites are below site_count; shared_bytes: what a block has used so far. */
bool gpu_run_block(struct gpu_run *run, struct step_block *block, size_t site_count,
                   uint64_t shared_bytes);
/* `number`: among all launches of the run, from 0 on. */
bool gpu_run_launch_end(struct gpu_run *run, uint64_t shared_bytes, uint64_t number);
/* A launch that has the figures of launch `number`. */
bool gpu_run_launch_repeats(struct gpu_run *run, uint64_t number);
/* In place of the end of a launch that will have none: nothing of it stays in the result. No other
 * launch follows. */
bool gpu_run_launch_drop(struct gpu_run *run);
/* Completes the result, and frees the simulator. */
bool gpu_run_finish(struct gpu_run *run);
/* Frees the simulator if it is there: after any of the functions, while the blocks' store is there. */
void gpu_run_free(struct gpu_run *run);

#endif
