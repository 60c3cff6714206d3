/* runs.h - a run is a job under a GPU. Here: the operands of a command, run: every job under every GPU. */
#ifndef WARPLENS_CLI_INPUTS_RUNS_H
#define WARPLENS_CLI_INPUTS_RUNS_H

#include "advise/advise.h"
#include "cli/inputs/choose.h"

struct runs {
    struct job_list jobs;
    struct gpu_choice gpus;
    struct result *results;       /* job by job, each under all GPUs */
    size_t done;                  /* of the results */
    struct advice_report *advice; /* one a result; NULL: not asked for */
    int fault_status; /* EXIT_USAGE: a kernel or a program has failed; it is reported all the same */
};

/* Both: EXIT_OK, or another status after a message; runs_free frees in either case. */
/* What is to be run. Starts from zeros. */
int runs_choose(struct runs *runs, const struct options *options);
/* Runs what was chosen. */
int runs_do(struct runs *runs, const struct options *options);
void runs_free(struct runs *runs);

#endif
