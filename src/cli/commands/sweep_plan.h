/* sweep_plan.h - a sweep: its jobs by number, which of them are this shard's, and what stands before
 * each job's runs.
 *
 * A job is a kernel with one set of parameters under all GPUs: it is traced once, which takes half of
 * the processor time (transpose under eight GPUs: 5.5 s; eight runs: 11.0 s). A job for each GPU would
 * spread a sweep over more machines than it has parameters, at twice the price. */
#ifndef WARPLENS_CLI_COMMANDS_SWEEP_PLAN_H
#define WARPLENS_CLI_COMMANDS_SWEEP_PLAN_H

#include "cli/inputs/choose.h"
#include "sweep/line.h"

/* Points into itself: do not copy it. */
struct sweep_plan {
    const struct options *options;
    struct job_grid grid;
    struct gpu_choice gpus;
    struct sweep_head head; /* of all lines; job and label are set by sweep_plan_head */
    size_t count;           /* jobs of this shard */
};

/* EXIT_OK, or another status after a message. sweep_plan_free frees in every case. */
int sweep_plan_start(struct sweep_plan *plan, const struct options *options);
void sweep_plan_free(struct sweep_plan *plan);

/* The k-th job of the shard, from 0. The head's label is the job's. */
size_t sweep_plan_job(const struct sweep_plan *plan, size_t k, struct job *job);
struct sweep_head sweep_plan_head(const struct sweep_plan *plan, size_t k, struct job *job);

#endif
