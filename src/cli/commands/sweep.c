/* sweep.c - `warplens sweep`: every kernel with every combination of parameters, a line of JSON a
 * job, or one shard of that. */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/commands/sweep_file.h"
#include "cli/commands/sweep_job.h"
#include "pool/pool.h"
#include "text/memory.h"
#include "text/progress.h"

struct sweep {
    struct sweep_plan plan;
    struct sweep_file file;
    size_t failed_jobs;
    bool has_bug, cannot_write;
};

static int list_jobs(const struct sweep_plan *plan)
{
    struct output output;
    int status = output_open(&output, plan->options->output);
    if (status)
        return status;
    for (size_t k = 0; k < plan->count; k++) {
        struct job job;
        fprintf(output.stream, "%zu ", sweep_plan_job(plan, k, &job));
        fputs(job.label, output.stream);
        for (size_t g = 0; g < plan->gpus.count; g++)
            fprintf(output.stream, "%s%s", g ? "," : " on ", plan->gpus.gpus[g].model->name);
        fputc('\n', output.stream);
    }
    return output_close(&output);
}

/* The jobs that are left are those behind the file's lines. */
static void run_job(void *context, size_t job, FILE *out)
{
    const struct sweep *sweep = context;
    sweep_job_run(&sweep->plan, sweep->file.done + job, out);
}

static bool take_line(void *context, size_t job, const char *result, size_t bytes)
{
    struct sweep *sweep = context;
    (void)job;
    if (bytes == 0)
        return false;
    sweep->failed_jobs += result[0] != SWEEP_JOB_FINE;
    sweep->has_bug |= result[0] == SWEEP_JOB_BUG;
    sweep->cannot_write = !sweep_file_add(&sweep->file, result + 1, bytes - 1);
    return !sweep->cannot_write;
}

static int lost_job(const struct sweep *sweep, size_t k)
{
    struct job job;
    size_t number = sweep_plan_job(&sweep->plan, k, &job);
    const bool without_memory = memory_failures();
    usage_error(sweep->plan.options->command,
                "job %zu (%s): %s; the lines before it are written, and the same command with -o "
                "FILE goes on from there",
                number, job.label,
                without_memory ? "no memory for it"
                               : "the process that ran it ended before it was done");
    return without_memory ? EXIT_IO : EXIT_BUG;
}

static int say_failures(const struct sweep *sweep)
{
    if (sweep->failed_jobs == 0)
        return EXIT_OK;
    usage_error(sweep->plan.options->command,
                "%zu of %zu jobs failed; their lines have \"error\" with the message%s",
                sweep->failed_jobs, sweep->plan.count,
                sweep->has_bug ? ", which for one at least is of a bug in warplens" : "");
    return sweep->has_bug ? EXIT_BUG : EXIT_USAGE;
}

static int run_jobs(struct sweep *sweep)
{
    const struct options *options = sweep->plan.options;
    int status = sweep_file_open(&sweep->file, &sweep->plan);
    if (status)
        return status;
    sweep->failed_jobs = sweep->file.failed_jobs;
    struct pool_work work = {.context = sweep,
                             .count = sweep->plan.count - sweep->file.done,
                             .run = run_job,
                             .take = take_line};
    if (options->output || !isatty(STDOUT_FILENO)) /* lines at the terminal say enough */
        progress_start(options->command);
    size_t taken = pool_run(&work, (size_t)options->processes);
    progress_end();
    status = sweep_file_close(&sweep->file);
    if (status)
        return status;
    return taken < work.count ? lost_job(sweep, sweep->file.done + taken) : say_failures(sweep);
}

static int do_sweep(const struct options *options)
{
    struct sweep *sweep = memory_take(1, sizeof *sweep);
    if (sweep == NULL)
        return usage_error(options->command, "no memory");
    int status = sweep_plan_start(&sweep->plan, options);
    if (status == EXIT_OK)
        status = options->list ? list_jobs(&sweep->plan) : run_jobs(sweep);
    sweep_plan_free(&sweep->plan);
    free(sweep);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .operands = "KERNEL,...",
    .help = "many runs, a line each, in shards if need be",
    .bit = COMMAND_SWEEP,
    .run = do_sweep,
    .about =
        "Runs every kernel with every combination of the values of -p under all GPUs, and writes a "
        "line of\n"
        "JSON for each combination, a job. Jobs have numbers, from 0; shard I of N has those whose "
        "number\n"
        "leaves I - 1 when divided by N. A job that fails is a line too, with \"error\". With -o "
        "onto "
        "a\n"
        "file that a killed sweep left it goes on there. docs/sweeps.md shows sweeps on several "
        "machines.\n\n"
        "  warplens sweep offsetCopy -p offset=0,1,2,4,8 -p n=64k,1M --gpu gtx280,h200 -j 4 -o "
        "sweep.jsonl\n"
        "  warplens sweep transpose,matrixMul --gpu v100,h200 --shard 2/8 -o shard-2.jsonl\n"
        "  warplens merge shard-*.jsonl",
};
