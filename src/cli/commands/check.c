/* check.c - `warplens check`: what memory order hides: hazards between threads; and the run's faults.
 *
 * A run is checked for GPUs before and from sm_70 on at once; --gpu leaves out what does not hold on those
 * that it names.
 */
#include "check/write.h"

#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/choose.h"
#include "cli/inputs/source.h"
#include "cli/inputs/source_texts.h"
#include "cli/inputs/watch.h"
#include "text/memory.h"
#include "text/progress.h"

struct checks {
    struct gpu_choice gpus;
    struct job_list jobs;
    struct check_run runs[CHOICE_MAX];
    struct checker *checkers[CHOICE_MAX];
    size_t count;
    int status; /* EXIT_USAGE: a run was not complete; it is reported as far as it came */
};

/* How lanes run on the GPUs that were named: on some of either kind, when none was. */
static unsigned lanes_run(const struct checks *checks, const struct options *options)
{
    unsigned how = 0;
    if (options->gpus.count == 0)
        return LANES_EITHER;
    for (size_t i = 0; i < checks->gpus.count; i++)
        how |= capability_find(checks->gpus.gpus[i].arch.sm)->lanes_apart ? LANES_APART
                                                                          : LANES_IN_STEP;
    return how;
}

static int check_source(struct checker *checker, const struct opened_source *opened)
{
    const struct trace_sink sink = checker_sink(checker);
    const char *error = opened->source.run(opened->source.context, &sink);
    checker_finish(checker);
    if (checker->no_memory || !source_texts_add(checker->info, opened))
        return usage_error(opened->options->command, "no memory to check %s",
                           input_name(&opened->input));
    if (error == NULL && checker->launches == 0 && checker->info->fault_count == 0)
        error = "nothing was launched";
    return error ? source_fail(opened, error) : EXIT_OK;
}

/* Its checker is kept, when it came to a launch, or has why not. */
static int check_job(struct checks *checks, const struct job *job, const struct options *options)
{
    struct opened_source *opened = memory_take(1, sizeof *opened);
    struct checker *checker = memory_take(1, sizeof *checker);
    int status = EXIT_USAGE;
    if (opened == NULL || checker == NULL || !checker_start(checker))
        usage_error(options->command, "no memory to check %s", input_name(&job->input));
    else
        status = source_open(opened, options, job, &checks->gpus.gpus[0]);
    if (status == EXIT_OK) {
        status = check_source(checker, opened);
        const int closed = source_close(opened);
        status = closed == EXIT_OK ? status : closed;
    }
    if (checker && checker->info && (checker->launches || checker->info->fault_count)) {
        checks->checkers[checks->count] = checker;
        checks->runs[checks->count++] = (struct check_run){
            .label = job->label, .checker = checker, .lanes_run = lanes_run(checks, options)};
        checker = NULL;
    }
    if (checker)
        checker_free(checker);
    free(checker);
    free(opened);
    return status;
}

static void check_jobs(struct checks *checks, const struct options *options)
{
    watch_start(options, checks->jobs.jobs, checks->jobs.count, false);
    for (size_t i = 0; i < checks->jobs.count; i++) {
        watch_job(&checks->jobs.jobs[i], NULL, 0);
        progress_jobs_done(i, checks->jobs.count);
        const int status = check_job(checks, &checks->jobs.jobs[i], options);
        checks->status = checks->status ? checks->status : status;
    }
    progress_end();
}

static int write_checks(const struct checks *checks, const struct options *options)
{
    struct output output;
    int status = output_open(&output, options->output);
    if (status)
        return status;
    if (options->format == FORMAT_JSON)
        check_write_json(checks->runs, checks->count, output.stream);
    else
        check_write_text(checks->runs, checks->count, output.stream);
    return output_close(&output);
}

static int status_of(const struct checks *checks, const struct options *options)
{
    size_t found = 0;
    for (size_t i = 0; i < checks->count; i++)
        found += check_count(&checks->runs[i]);
    if (checks->status)
        return checks->status;
    if (found == 0)
        return EXIT_OK;
    return options->error_exitcode >= 0 ? (int)options->error_exitcode : EXIT_THRESHOLD;
}

/* A race or fault is of the source: an access that a compiler merges away is none of them the less. */
static int run_checks(struct checks *checks, const struct options *options)
{
    int status = output_try(options->output);
    if (status == EXIT_OK)
        status = choose_gpus(&checks->gpus, options);
    if (status == EXIT_OK)
        status = choose_jobs(&checks->jobs, options, options->operands, options->operand_count);
    if (status)
        return status;
    check_jobs(checks, options);
    status = checks->count ? write_checks(checks, options) : EXIT_OK;
    return status ? status : status_of(checks, options);
}

static int do_check(const struct options *options)
{
    struct checks *checks = memory_take(1, sizeof *checks);
    if (checks == NULL)
        return usage_error(options->command, "no memory for the runs");
    struct options own = *options;
    if (own.accesses == ACCESSES_USUAL)
        own.accesses = ACCESSES_SOURCE_IF_KNOWN;
    int status = run_checks(checks, &own);
    for (size_t i = 0; i < checks->count; i++) {
        checker_free(checks->checkers[i]);
        free(checks->checkers[i]);
    }
    free(checks);
    return status;
}

const struct command command_check = {
    .name = "check",
    .operands = "KERNEL,... | FILE ...",
    .help = "find races between threads, lost updates, wrong masks, faults",
    .bit = COMMAND_CHECK,
    .run = do_check,
    .about =
        "Runs kernels, CUDA programs or traces, and finds accesses of one word by two threads that "
        "nothing\n"
        "orders: no barrier, no __syncwarp (from sm_70 on), no fence with an atomic. Names both "
        "lines, both\n"
        "threads, the word, and the GPUs on which it holds: those before sm_70 run the lanes of a "
        "warp in\n"
        "step. Tells faults as well, such as an index that is not checked. Exit status 3 when "
        "something was\n"
        "found. Programs are compiled with each access of the source (--accesses), the gallery's "
        "kernels as nvcc\n"
        "has them (docs/check.md).\n\n"
        "  warplens check reduce.cu\n"
        "  warplens check reduce.cu --gpu gtx1080ti          what holds before sm_70 alone\n"
        "  warplens check trace.wlt --format json\n"
        "  warplens check reduce.cu --error-exitcode 1",
};
