/* cmd_run.c - `warplens run` and `warplens compare`: the same runs, reported alone or side by side.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/kernel_runs.h"
#include "cli/output.h"
#include "cli/options/report_formats.h"
#include "cli/commands/run_figure.h"

static int write_run(const struct kernel_runs *runs, const struct options *options, FILE *out)
{
    const struct report_options report = {
        .blocks = options->block_first >= 0,
        .block_first = (uint32_t)options->block_first,
        .block_last = (uint32_t)options->block_last,
        .timeline = options->timeline,
    };
    if (options->figure)
        return run_figure_write(options, runs->results, runs->done, out);
    report_format_chosen(options)->write(runs->results, runs->done, &report, out);
    return EXIT_OK;
}

/* The results as a table; false without memory. */
static bool write_table(const struct kernel_runs *runs, const struct options *options, FILE *out)
{
    struct report_entry *entries = calloc(runs->done + 1, sizeof *entries);
    bool fine = entries != NULL;
    for (size_t i = 0; i < runs->done && fine; i++)
        fine = report_entry_start(&entries[i], &runs->results[i], i / runs->gpus.count);
    if (fine && options->format == FORMAT_CSV)
        report_compare_csv(entries, runs->done, options->counters, out);
    else if (fine)
        report_compare_text(entries, runs->done, options->counters, out);
    report_entries_free(entries, entries ? runs->done : 0);
    return fine;
}

static int write_comparison(const struct kernel_runs *runs, const struct options *options,
                            FILE *out)
{
    struct report_options report = {0};
    if (options->format == FORMAT_JSON)
        report_json(runs->results, runs->done, &report, out);
    else if (!write_table(runs, options, out))
        return usage_error(options->command, "no memory for the table");
    return EXIT_OK;
}

/* `write` says what went wrong; the stream's errors are not its affair. */
static int run_and_write(const struct options *options,
                         int (*write)(const struct kernel_runs *, const struct options *, FILE *))
{
    struct kernel_runs runs = {0};
    struct output output;
    int status = output_try(options->output);
    if (status == EXIT_OK)
        status = kernel_runs_start(&runs, options);
    if (status == EXIT_OK && runs.done == 0) { /* programs without a launch */
        kernel_runs_free(&runs);
        return runs.program_status;
    }
    if (status == EXIT_OK)
        status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        status = write(&runs, options, output.stream);
        if (status)
            output_discard(&output);
        else
            status = output_close(&output);
        status = status ? status : runs.program_status;
    }
    kernel_runs_free(&runs);
    return status;
}

static int do_run(const struct options *options)
{
    if (options->timeline && options->rules_only)
        return usage_error(options->command,
                           "--timeline is of the model of time: leave --rules-only out");
    if (options->timeline && !report_format_chosen(options)->has_timeline)
        return usage_error(options->command,
                           "--timeline has no %s form: use --format text, json or html",
                           report_format_chosen(options)->name);
    if (options->figure && options->report)
        return usage_error(options->command, "--figure is one SVG: leave --format %s out",
                           options->report->name);
    return run_and_write(options, write_run);
}

static int do_compare(const struct options *options)
{
    int status = options->counters ? choose_counters(options) : EXIT_OK;
    return status ? status : run_and_write(options, write_comparison);
}

const struct command command_run = {
    .name = "run",
    .operands = "KERNEL,... | FILE ...",
    .help = "run kernels and report their memory accesses",
    .bit = COMMAND_RUN,
    .run = do_run,
    .about =
        "Runs kernels on the CPU and replays every warp access under the GPUs named: "
        "transactions,\n"
        "bytes and bank conflicts by their rules, then caches, DRAM partitions and an approximate\n"
        "time, per kernel, source line and array. A KERNEL is one of the gallery, or several,\n"
        "separated by commas. A FILE is a CUDA program (.cu; its arguments behind --), or a trace "
        "in\n"
        "any form that `warplens trace` reads; - is a trace on standard input.\n\n"
        "  warplens run transpose --gpu gtx280\n"
        "  warplens run reduce.cu --gpu h200 -- 1000000      compiles and runs a program of yours\n"
        "  warplens run trace.wlt --gpu m2090,h200\n"
        "  warplens run transpose --gpu gtx280,h200 --format html -o report.html\n"
        "  warplens run transpose --gpu gtx280 --figure partitions -o partitions.svg\n"
        "  warplens run offsetCopy --gpu sm_10,sm_13 -p offset=8 --format json\n"
        "  warplens run transpose_naive --gpu gtx280 --blocks 0-63    partitions of 64 blocks\n"
        "  warplens run transposeCoalesced --gpu k20x --timeline      a block's warps over time",
};

const struct command command_compare = {
    .name = "compare",
    .operands = "KERNEL,... | FILE ...",
    .help = "kernels and GPUs side by side",
    .bit = COMMAND_COMPARE,
    .run = do_compare,
    .about =
        "One table: a row a counter, a column a GPU. Several kernels on one GPU make a column "
        "each;\n"
        "several kernels on several GPUs make a line each for every counter. A parameter with\n"
        "several values makes as many runs.\n\n"
        "  warplens compare transpose_naive,transpose,transposeDiagonal --gpu gtx280,m2090,h200\n"
        "  warplens compare timedReduction -p blocks=1,8,16,32,64 --gpu 8800gtx",
};
