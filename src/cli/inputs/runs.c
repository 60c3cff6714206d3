/* runs.c - a job after the other, each judged under all GPUs at once. */
#define _GNU_SOURCE
#include "cli/inputs/runs.h"

#include <sched.h>
#include <stdlib.h>

#include "advise/record.h"
#include "cli/inputs/source.h"
#include "cli/inputs/source_texts.h"
#include "cli/inputs/watch.h"
#include "cli/options/formats.h"
#include "session/laws.h"
#include "text/memory.h"
#include "text/progress.h"

/* Runs of more get no advice in their page: it would take minutes (docs/report.md has the times), which nobody
 * expects of a report. */
enum { ADVISED_ACCESSES_MAX = 1 << 19 };

/* Whether the block is there: of the first launch. */
static int check_timeline(const struct result *result, const char *name,
                          const struct options *options)
{
    const uint32_t *g = result->launches[0].grid;
    if (result->timeline)
        return EXIT_OK;
    return usage_error(
        options->command, "--timeline-block %lld: the grid of %s has blocks 0 to %llu%s",
        (long long)options->timeline_block, name, (unsigned long long)g[0] * g[1] * g[2] - 1,
        result->total.launches > 1 ? " in its first launch" : "");
}

/* That this process may use. */
static uint32_t processors_there(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 2;
}

static int run_source(struct runs *runs, const struct job *job, const struct opened_source *opened,
                      struct trace_source source, const struct options *options)
{
    const bool observes = options->figure || formats[options->format].observes;
    const uint32_t timeline_block = (uint32_t)options->timeline_block;
    const struct session_request request = {
        .source = source,
        .label = job->label,
        .gpus = runs->gpus.gpus,
        .gpu_count = runs->gpus.count,
        .registers_per_thread = options->registers,
        .block_count = options->block_first >= 0 ? (uint32_t)options->block_last + 1 : 0,
        .rules_only = options->rules_only,
        .samples = options->samples,
        .cold_launches = options->cache_control == CACHES_ALL,
        .timeline = options->timeline || observes,
        .timeline_block = options->timeline_block >= 0 ? &timeline_block : NULL,
        .observes = observes,
        .processors = options->processors ? (uint32_t)options->processors : processors_there(),
    };
    const char *name = input_name(&job->input);
    const char *error = session_run(&request, &runs->results[runs->done]);
    if (error)
        return source_fail(opened, error);
    runs->done += runs->gpus.count;
    const bool quotes = observes || formats[options->format].quotes_source;
    if (quotes && !source_texts_add(runs->results[runs->done - 1].info, opened))
        return usage_error(options->command, "no memory for the source of %s", name);
    char message[LAWS_MESSAGE_BYTES];
    if (!laws_keep(&runs->results[runs->done - runs->gpus.count], runs->gpus.count, message)) {
        usage_error(options->command, "%s", message);
        return EXIT_BUG;
    }
    const uint64_t last = runs->results[runs->done - 1].total.blocks - 1;
    const int stopped = source_check_stop(opened, runs->results[runs->done - 1].info);
    runs->fault_status = runs->fault_status ? runs->fault_status : stopped;
    if (options->figure && stopped == EXIT_OK) /* a picture has no place for them */
        source_tell_faults(opened, runs->results[runs->done - 1].info);
    if (runs->results[runs->done - 1].total.launches == 0) /* the fault is all there is */
        return EXIT_OK;
    if (options->block_first > (int64_t)last)
        return usage_error(options->command, "--blocks: the grid of %s has blocks 0 to %llu", name,
                           (unsigned long long)last);
    return options->timeline ? check_timeline(&runs->results[runs->done - 1], name, options)
                             : EXIT_OK;
}

/* The same, and advice on the run, which is made once for both. */
static int run_and_advise(struct runs *runs, const struct job *job,
                          const struct opened_source *opened, const struct options *options)
{
    const struct advise_request request = {.gpus = runs->gpus.gpus,
                                           .gpu_count = runs->gpus.count,
                                           .registers_per_thread = options->registers,
                                           .cold_launches = options->cache_control == CACHES_ALL};
    struct recording *recording = memory_take(1, sizeof *recording);
    const size_t first = runs->done;
    if (recording == NULL)
        return usage_error(options->command, "no memory for advice");
    const struct trace_source source =
        recording_start(recording, opened->source, ADVISED_ACCESSES_MAX);
    const int status = run_source(runs, job, opened, source, options);
    if (status == EXIT_OK && runs->done > first)
        recording_advise(recording, &request, &runs->advice[first]);
    recording_stop(recording);
    free(recording);
    return status;
}

static int run_job(struct runs *runs, const struct job *job, const struct options *options)
{
    struct opened_source *opened = memory_take(1, sizeof *opened);
    if (opened == NULL)
        return usage_error(options->command, "no memory for a source");
    int status = source_open(opened, options, job, &runs->gpus.gpus[0]);
    if (status == EXIT_OK) {
        status = runs->advice ? run_and_advise(runs, job, opened, options)
                              : run_source(runs, job, opened, opened->source, options);
        int closed = source_close(opened);
        runs->fault_status = runs->fault_status ? runs->fault_status : closed;
        status = closed == EXIT_IO ? closed : status;
    }
    free(opened);
    return status;
}

/* Arguments behind -- are for programs. */
static int check_arguments(const struct runs *runs, const struct options *options)
{
    bool has_program = options->program_arguments == NULL;
    for (size_t i = 0; i < runs->jobs.count; i++)
        has_program |= runs->jobs.jobs[i].input.kind == INPUT_PROGRAM;
    return has_program ? EXIT_OK
                       : usage_error(options->command,
                                     "%s is no CUDA program, and takes no arguments behind --; a "
                                     "kernel's parameters are given with -p",
                                     input_name(&runs->jobs.jobs[0].input));
}

int runs_choose(struct runs *runs, const struct options *options)
{
    int status = choose_gpus(&runs->gpus, options);
    if (status == EXIT_OK)
        status = choose_jobs(&runs->jobs, options, options->operands, options->operand_count);
    return status == EXIT_OK ? check_arguments(runs, options) : status;
}

/* What is tried is compared by its time. */
static bool wants_advice(const struct options *options)
{
    return formats[options->format].advises && !options->no_advice && !options->rules_only;
}

int runs_do(struct runs *runs, const struct options *options)
{
    int status = EXIT_OK;
    runs->results = memory_take(runs->jobs.count * runs->gpus.count, sizeof *runs->results);
    if (wants_advice(options))
        runs->advice = memory_take(runs->jobs.count * runs->gpus.count, sizeof *runs->advice);
    if (runs->results == NULL || (wants_advice(options) && runs->advice == NULL))
        return usage_error(options->command, "no memory for the results");
    watch_start(options, runs->jobs.jobs, runs->jobs.count, false);
    for (size_t i = 0; i < runs->jobs.count && status == EXIT_OK; i++) {
        watch_job(&runs->jobs.jobs[i], runs->gpus.gpus, runs->gpus.count);
        progress_jobs_done(i, runs->jobs.count);
        status = run_job(runs, &runs->jobs.jobs[i], options);
    }
    progress_end();
    return status;
}

void runs_free(struct runs *runs)
{
    if (runs->advice)
        advise_free(runs->advice, runs->done);
    free(runs->advice);
    if (runs->results)
        results_free(runs->results, runs->done);
    free(runs->results);
}
