/* kernel_runs.h - the operands of a command run: every kernel, program or trace under every GPU. */
#ifndef WARPLENS_CLI_COMMANDS_KERNEL_RUNS_H
#define WARPLENS_CLI_COMMANDS_KERNEL_RUNS_H

#include "cli/inputs/choose.h"

/* All results of the kernels, kernel by kernel, each under all GPUs. */
struct kernel_runs {
    struct kernel_choice kernels;
    struct gpu_choice gpus;
    struct result *results;
    size_t done;
    int program_status; /* EXIT_USAGE: a program has failed; it is reported all the same */
};

/* EXIT_OK; or another status after a message. kernel_runs_free frees in either case. Starts from zeros. */
int kernel_runs_start(struct kernel_runs *runs, const struct options *options);
void kernel_runs_free(struct kernel_runs *runs);

#endif
