/* kernel_runs.c - a run after the other, each judged under all GPUs at once. */
#include "cli/commands/kernel_runs.h"

#include <stdlib.h>

#include "cli/options/report_formats.h"
#include "cli/commands/run_figure.h"
#include "session/laws.h"
#include "cli/inputs/source.h"
#include "cli/inputs/source_texts.h"

/* Whether the block is there: of the first launch. */
static int check_timeline(const struct result *result, const char *name,
                          const struct options *options)
{
    const uint32_t *g = result->launches[0].grid;
    if (result->timeline)
        return EXIT_OK;
    return usage_error(options->command,
                       "--timeline-block %u: the grid of %s has blocks 0 to %llu%s",
                       options->timeline_block, name, (unsigned long long)g[0] * g[1] * g[2] - 1,
                       result->total.launches > 1 ? " in its first launch" : "");
}

static int run_source(struct kernel_runs *runs, size_t k, const struct opened_source *opened,
                      const struct options *options)
{
    const bool observes = options->figure || report_format_chosen(options)->observes;
    const struct session_request request = {
        .source = opened->source,
        .label = runs->kernels.labels[k],
        .gpus = runs->gpus.gpus,
        .gpu_count = runs->gpus.count,
        .registers_per_thread = options->registers,
        .block_count = options->block_first >= 0 ? (uint32_t)options->block_last + 1 : 0,
        .rules_only = options->rules_only,
        .timeline = options->timeline || observes,
        .timeline_block = options->timeline_block_given ? &options->timeline_block : NULL,
        .observes = observes,
    };
    const char *name = runs->kernels.kernels[k]->name;
    const char *error = session_run(&request, &runs->results[runs->done]);
    if (error && source_program_failed(opened))
        return EXIT_USAGE;
    if (error && source_launched_nothing(opened))
        return EXIT_OK;
    if (error && runs->kernels.kernels[k]->run)
        return usage_error(options->command, "%s: %s", name, error);
    if (error)
        return usage_error(options->command, "%s", error);
    runs->done += runs->gpus.count;
    if (observes && !source_texts_add(runs->results[runs->done - 1].info, opened))
        return usage_error(options->command, "no memory for the source of %s", name);
    char message[LAWS_MESSAGE_BYTES];
    if (!laws_keep(&runs->results[runs->done - runs->gpus.count], runs->gpus.count, message)) {
        usage_error(options->command, "%s", message);
        return EXIT_BUG;
    }
    uint64_t last = runs->results[runs->done - 1].total.blocks - 1;
    if (options->block_first > (int64_t)last)
        return usage_error(options->command, "--blocks: the grid of %s has blocks 0 to %llu", name,
                           (unsigned long long)last);
    return options->timeline ? check_timeline(&runs->results[runs->done - 1], name, options)
                             : EXIT_OK;
}

static int run_one(struct kernel_runs *runs, size_t k, const struct options *options)
{
    struct opened_source *opened = malloc(sizeof *opened);
    if (opened == NULL)
        return usage_error(options->command, "no memory for a source");
    int status = source_open(opened, options, runs->kernels.kernels[k], &runs->kernels.args[k],
                             &runs->gpus.gpus[0]);
    if (status == EXIT_OK) {
        status = run_source(runs, k, opened, options);
        int closed = source_close(opened);
        runs->program_status = runs->program_status ? runs->program_status : closed;
        status = closed == EXIT_IO ? closed : status;
    }
    free(opened);
    return status;
}

static int run_all(struct kernel_runs *runs, const struct options *options)
{
    size_t gpu_count = runs->gpus.count;
    runs->results = calloc(runs->kernels.count * gpu_count, sizeof *runs->results);
    if (runs->results == NULL)
        return usage_error(options->command, "no memory for the results");
    for (size_t k = 0; k < runs->kernels.count; k++) {
        int status = run_one(runs, k, options);
        if (status)
            return status;
    }
    return EXIT_OK;
}

/* Arguments behind -- are for programs. */
static int check_arguments(const struct kernel_runs *runs, const struct options *options)
{
    bool has_program = options->program_arguments == NULL;
    for (size_t k = 0; k < runs->kernels.count; k++)
        has_program |= cu_build_takes(runs->kernels.kernels[k]->name);
    return has_program ? EXIT_OK
                       : usage_error(options->command,
                                     "%s is no CUDA program, and takes no arguments behind --; a "
                                     "kernel's parameters are given with -p",
                                     runs->kernels.kernels[0]->name);
}

int kernel_runs_start(struct kernel_runs *runs, const struct options *options)
{
    int status = choose_gpus(&runs->gpus, options);
    if (status == EXIT_OK)
        status = choose_kernels(&runs->kernels, options, options->operands, options->operand_count);
    if (status == EXIT_OK)
        status = check_arguments(runs, options);
    if (status == EXIT_OK && options->figure)
        status = run_figure_fits(options, runs->kernels.count, runs->gpus.count);
    return status == EXIT_OK ? run_all(runs, options) : status;
}

void kernel_runs_free(struct kernel_runs *runs)
{
    results_free(runs->results, runs->done);
    free(runs->results);
}
