/* commands.h - the subcommands: each gets its options and returns the exit status. */
#ifndef WARPLENS_CLI_COMMANDS_H
#define WARPLENS_CLI_COMMANDS_H

#include "cli/options.h"

int command_run(const struct options *options);
int command_compare(const struct options *options);
int command_explain(const struct options *options);
int command_kernels(const struct options *options);
int command_gpus(const struct options *options);
int command_counters(const struct options *options);
int command_bench(const struct options *options);
int command_trace(const struct options *options);
int command_sweep(const struct options *options);
int command_merge(const struct options *options);
int command_validate(const struct options *options);

#endif
