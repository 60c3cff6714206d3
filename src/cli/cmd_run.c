/* cmd_run.c - `warplens run` and `warplens compare`: the same runs, reported alone or side by side.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/choose.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "cli/source.h"
#include "report/report.h"

/* All results of the kernels, kernel by kernel, each under all GPUs. */
struct runs {
    struct kernel_choice kernels;
    struct gpu_choice gpus;
    struct result *results;
    size_t done;
    int program_status; /* EXIT_USAGE: a program has failed; it is reported all the same */
};

static int run_source(struct runs *runs, size_t k, const struct opened_source *opened,
                      const struct options *options)
{
    const struct session_request request = {
        .source = opened->source,
        .label = runs->kernels.labels[k],
        .gpus = runs->gpus.gpus,
        .gpu_count = runs->gpus.count,
        .registers_per_thread = options->registers,
        .block_count = options->block_first >= 0 ? (uint32_t)options->block_last + 1 : 0,
        .rules_only = options->rules_only,
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
    char message[RUNS_MESSAGE_BYTES];
    if (!runs_keep_laws(&runs->results[runs->done - runs->gpus.count], runs->gpus.count, message)) {
        usage_error(options->command, "%s", message);
        return EXIT_BUG;
    }
    uint64_t last = runs->results[runs->done - 1].total.blocks - 1;
    if (options->block_first > (int64_t)last)
        return usage_error(options->command, "--blocks: the grid of %s has blocks 0 to %llu", name,
                           (unsigned long long)last);
    return EXIT_OK;
}

static int run_one(struct runs *runs, size_t k, const struct options *options)
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

static int run_all(struct runs *runs, const struct options *options)
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

static int runs_start(struct runs *runs, const struct options *options)
{
    int status = choose_gpus(&runs->gpus, options);
    if (status == EXIT_OK)
        status = choose_kernels(&runs->kernels, options, options->operands, options->operand_count);
    return status == EXIT_OK ? run_all(runs, options) : status;
}

static void runs_free(struct runs *runs)
{
    session_free(runs->results, runs->done);
    free(runs->results);
}

static bool write_run(const struct runs *runs, const struct options *options, FILE *out)
{
    struct report_options report = {
        .blocks = options->block_first >= 0,
        .block_first = (uint32_t)options->block_first,
        .block_last = (uint32_t)options->block_last,
    };
    static void (*const writers[])(const struct result *, size_t, const struct report_options *,
                                   FILE *) = {
        [FORMAT_TEXT] = report_text,
        [FORMAT_JSON] = report_json,
        [FORMAT_CSV] = report_csv,
    };
    writers[options->format](runs->results, runs->done, &report, out);
    return true;
}

/* The results as a table; false without memory. */
static bool write_table(const struct runs *runs, const struct options *options, FILE *out)
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

static bool write_comparison(const struct runs *runs, const struct options *options, FILE *out)
{
    struct report_options report = {0};
    if (options->format != FORMAT_JSON)
        return write_table(runs, options, out);
    report_json(runs->results, runs->done, &report, out);
    return true;
}

static int run_and_write(const struct options *options,
                         bool (*write)(const struct runs *, const struct options *, FILE *))
{
    struct runs runs = {0};
    struct output output;
    int status = runs_start(&runs, options);
    if (status == EXIT_OK && runs.done == 0) { /* programs without a launch */
        runs_free(&runs);
        return runs.program_status;
    }
    if (status == EXIT_OK)
        status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        if (write(&runs, options, output.stream)) {
            status = output_close(&output);
            status = status ? status : runs.program_status;
        } else {
            output_discard(&output);
            status = usage_error(options->command, "no memory for the table");
        }
    }
    runs_free(&runs);
    return status;
}

static int do_run(const struct options *options)
{
    return run_and_write(options, write_run);
}

static int do_compare(const struct options *options)
{
    int status = options->counters ? choose_counters(options) : EXIT_OK;
    return status ? status : run_and_write(options, write_comparison);
}

const struct command command_run = {
    .name = "run",
    .operands = "KERNEL | FILE ...",
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
        "  warplens run offsetCopy --gpu sm_10,sm_13 -p offset=8 --format json\n"
        "  warplens run transpose_naive --gpu gtx280 --blocks 0-63    partitions of 64 blocks",
};

const struct command command_compare = {
    .name = "compare",
    .operands = "KERNEL | FILE ...",
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
