/* run.c - `warplens run` and `warplens compare`: the same runs, reported alone or side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/inputs/runs.h"
#include "cli/options/formats.h"
#include "cli/commands/output.h"
#include "figures/figures.h"
#include "report/faults.h"
#include "text/memory.h"
#include "text/text.h"

/* A figure shows one run under one GPU, or under all. */
static int check_figure(const struct runs *runs, const struct options *options)
{
    const struct figure *figure = options->figure;
    const size_t jobs = runs->jobs.count, gpus = runs->gpus.count;
    if (jobs > 1)
        return usage_error(
            options->command,
            "--picture %s shows one run, and there are %zu: name one kernel, and one "
            "value of each parameter",
            figure->name, jobs);
    if (!figure->across && gpus > 1)
        return usage_error(options->command,
                           "--picture %s shows one GPU, and there are %zu: name one with --gpu",
                           figure->name, gpus);
    if (figure->across && gpus == 1)
        return usage_error(options->command,
                           "--picture %s compares GPUs: name several, such as --gpu gtx280,h200",
                           figure->name);
    return EXIT_OK;
}

static int write_figure(const struct runs *runs, const struct options *options, FILE *out)
{
    const struct result *results = runs->results;
    struct text names;
    const struct run_fault *stop = run_info_stop(results->info);
    if (report_is_empty(results))
        return usage_error(options->command, "--picture %s: no launch was complete: %s",
                           options->figure->name, stop ? stop->fault.text : "");
    if (options->figure->has(results, runs->done)) {
        options->figure->write(results, runs->done, SVG_ALONE, out);
        return EXIT_OK;
    }
    text_start(&names);
    for (size_t i = 0; i < figure_count; i++)
        if (figures[i].has(results, runs->done))
            text_add(&names, "%s%s", names.length ? ", " : "", figures[i].name);
    return usage_error(options->command,
                       "--picture %s: this run of %s on %s has nothing to show there; it has %s",
                       options->figure->name, results->info->kernel, results->gpu->name,
                       names.length ? names.s : "no figure");
}

static int write_run(const struct runs *runs, const struct options *options, FILE *out)
{
    const struct report_options report = {
        .full = options->full,
        .blocks = options->block_first >= 0,
        .block_first = (uint32_t)options->block_first,
        .block_last = (uint32_t)options->block_last,
        .timeline = options->timeline,
        .advice = runs->advice,
    };
    if (options->figure)
        return write_figure(runs, options, out);
    formats[options->format].write_report(runs->results, runs->done, &report, out);
    return EXIT_OK;
}

/* The results as a table; false without memory. */
static bool write_table(const struct runs *runs, const struct options *options, FILE *out)
{
    struct report_entry *entries = memory_take(runs->done + 1, sizeof *entries);
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

static int write_comparison(const struct runs *runs, const struct options *options, FILE *out)
{
    struct report_options report = {0};
    if (options->format == FORMAT_JSON)
        report_json(runs->results, runs->done, &report, out);
    else if (!write_table(runs, options, out))
        return usage_error(options->command, "no memory for the table");
    return EXIT_OK;
}

/* As compute-sanitizer has it: with --error-exitcode any fault makes that status, also one that ends a kernel. */
static int status_of_faults(const struct runs *runs, const struct options *options)
{
    bool has_some = runs->fault_status != EXIT_OK;
    for (size_t i = 0; i < runs->done; i++)
        has_some |= runs->results[i].info->fault_count > 0;
    return has_some && options->error_exitcode >= 0 ? (int)options->error_exitcode
                                                    : runs->fault_status;
}

/* `write` says what went wrong; the stream's errors are not its affair. */
static int run_and_write(const struct options *options,
                         int (*write)(const struct runs *, const struct options *, FILE *))
{
    struct runs runs = {0};
    struct output output;
    int status = output_try(options->output);
    if (status == EXIT_OK)
        status = runs_choose(&runs, options);
    if (status == EXIT_OK && options->figure)
        status = check_figure(&runs, options);
    if (status == EXIT_OK)
        status = runs_do(&runs, options);
    if (status == EXIT_OK && runs.done == 0) { /* programs without a launch */
        runs_free(&runs);
        return runs.fault_status; /* they have ended well, or could not be run */
    }
    if (status == EXIT_OK)
        status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        status = write(&runs, options, output.stream);
        if (status)
            output_discard(&output);
        else
            status = output_close(&output);
        status = status ? status : status_of_faults(&runs, options);
    }
    runs_free(&runs);
    return status;
}

static int do_run(const struct options *options)
{
    if (options->timeline && options->rules_only)
        return usage_error(options->command,
                           "--timeline is of the model of time: leave --rules-only out");
    if (options->timeline && !formats[options->format].has_timeline)
        return usage_error(options->command, "--timeline has no %s form: use --format %s",
                           formats[options->format].name,
                           format_names(COMMAND_RUN, true, ", ", " or "));
    if (options->figure && options->has_format)
        return usage_error(options->command, "--picture is one SVG: leave --format %s out",
                           formats[options->format].name);
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
        "  warplens run transpose --gpu gtx280 --picture partitions -o partitions.svg\n"
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
