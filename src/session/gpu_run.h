/* gpu_run.h - one GPU's part of a run: launches and blocks in, a result out. Each of the functions is
 * called by one thread at a time. Beyond it nothing knows the simulator. */
#ifndef WARPLENS_SESSION_GPU_RUN_H
#define WARPLENS_SESSION_GPU_RUN_H

#include "session/fit.h"
#include "session/session.h"
#include "sim/time/sim.h"

/* A GPU's figures as they were when the launch before had ended: what is left when one is dropped. */
struct gpu_run_kept {
    struct counters total, time; /* the result's so far; the model of time's */
    struct counters *sites;
    size_t site_count, site_room;
    struct partition_bytes *partitions;
    uint32_t grid[3], block[3];
    uint64_t shared_bytes;
    struct occupancy occupancy;
};

struct gpu_run {
    const struct session_request *request;
    struct result *result;
    struct judge judge;
    struct sim sim;            /* all 0: rules only */
    struct launch_info launch; /* the latest */
    bool launched;             /* the model of time has begun the launch */
    struct counters before;    /* the totals at the end of the launch before */
    struct gpu_run_kept kept;
    struct counters dropped_time;    /* of launches that were dropped */
    char message[FIT_MESSAGE_BYTES]; /* of what went wrong; "" when nothing did */
};

/* Prepares request->gpus[gpu] and its result, which has its info and label. All functions return false
 * when something went wrong; nothing more is to be called then. */
bool gpu_run_start(struct gpu_run *run, const struct session_request *request, size_t gpu,
                   struct result *result);
/* The launch's pointers must live until gpu_run_launch_end. */
bool gpu_run_launch_begin(struct gpu_run *run, const struct launch_info *launch);
/* Rules alone: judges an access. */
bool gpu_run_access(struct gpu_run *run, const struct warp_access *access);
/* Runs a closed block, whose sites are below site_count; shared_bytes: what a block has used so far. */
bool gpu_run_block(struct gpu_run *run, struct step_block *block, size_t site_count,
                   uint64_t shared_bytes);
bool gpu_run_launch_end(struct gpu_run *run, uint64_t shared_bytes);
/* The launch will not end: what it has counted is undone. After gpu_run_launch_begin, when no block is at work. */
bool gpu_run_launch_drop(struct gpu_run *run);
/* Completes the result, and frees the simulator. */
bool gpu_run_finish(struct gpu_run *run);
/* Frees the simulator if it is there: after any of the functions, while the blocks' store is there. */
void gpu_run_free(struct gpu_run *run);

#endif
