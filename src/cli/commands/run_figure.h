/* run_figure.h - one figure of a report, alone. */
#ifndef WARPLENS_CLI_COMMANDS_RUN_FIGURE_H
#define WARPLENS_CLI_COMMANDS_RUN_FIGURE_H

#include "cli/options/options.h"
#include "figures/figures.h"

/* Whether the figure shows `runs` runs under `gpus` GPUs each: EXIT_OK, or EXIT_USAGE after a message. */
int run_figure_fits(const struct options *options, size_t runs, size_t gpus);

/* The same when there is nothing to see; otherwise writes it. */
int run_figure_write(const struct options *options, const struct result *results, size_t count,
                     FILE *out);

#endif
