/* sweep_job.c - one GPU on which a kernel cannot run (a block that is too large) must not cost the others
 * their results: what fails under all GPUs at once is run again under each by itself. */
#define _GNU_SOURCE
#include "cli/commands/sweep_job.h"

#include <stdlib.h>
#include <string.h>

#include "session/laws.h"
#include "cli/inputs/source.h"
#include "report/report.h"
#include "text/memory.h"

/* A job at work: a result or an error for each GPU. */
struct work {
    const struct sweep_plan *plan;
    struct job job;
    struct opened_source *opened;
    struct result *results;
    char *errors[CHOICE_MAX]; /* NULL also where there was no memory for it */
    bool failed[CHOICE_MAX], is_bug;
};

/* Runs the job under `count` GPUs; an error is that of the first. */
static bool run_gpus(struct work *work, size_t first, size_t count)
{
    struct session_request request = {
        .label = work->job.label,
        .gpus = &work->plan->gpus.gpus[first],
        .gpu_count = count,
        .registers_per_thread = work->plan->options->registers,
        .rules_only = work->plan->options->rules_only,
        .samples = work->plan->options->samples,
        .cold_launches = work->plan->options->cache_control == CACHES_ALL,
    };
    char message[LAWS_MESSAGE_BYTES];
    const char *error = "it cannot be opened (standard error has why)";
    if (source_open(work->opened, work->plan->options, &work->job, request.gpus) == EXIT_OK) {
        request.source = work->opened->source;
        error = session_run(&request, &work->results[first]);
        source_close(work->opened);
    }
    if (error == NULL) {
        if (laws_keep(&work->results[first], count, message))
            return true;
        results_free(&work->results[first], count);
        work->is_bug = true;
        error = message;
    }
    work->errors[first] = memory_copy(error);
    work->failed[first] = true;
    return false;
}

static void run_under_each(struct work *work)
{
    for (size_t g = 0; g < work->plan->gpus.count; g++) {
        free(work->errors[g]);
        work->errors[g] = NULL;
        work->failed[g] = false;
        run_gpus(work, g, 1);
    }
}

/* What the session would have said of the run. */
static bool note_job(const struct job *job, struct run_info *info)
{
    const struct gallery_param *params = job->args.params;
    bool fine = run_info_note(info, "kernel", input_name(&job->input));
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && params[i].name; i++) {
        char key[80], value[32];
        snprintf(key, sizeof key, "param.%s", params[i].name);
        snprintf(value, sizeof value, "%lld", job->args.values[i]);
        fine = fine && run_info_note(info, key, value);
    }
    return fine;
}

static void put_failure(const struct work *work, size_t g, FILE *out)
{
    struct result *failed = &work->results[g];
    *failed = (struct result){.info = run_info_new(), .gpu = work->plan->gpus.gpus[g].model};
    failed->arch = work->plan->gpus.gpus[g].arch;
    if (failed->info && note_job(&work->job, failed->info))
        report_json_failure(failed, work->errors[g] ? work->errors[g] : "no memory", out);
    run_info_release(failed->info);
}

/* The results as the report has them; they are freed. True when all are results. */
static bool put_runs(struct work *work, FILE *out)
{
    static const struct report_options options = {0};
    bool fine = true;
    for (size_t g = 0; g < work->plan->gpus.count; g++) {
        fputs(g ? JSON_BETWEEN : "", out);
        if (work->failed[g]) {
            put_failure(work, g, out);
            fine = false;
        } else {
            fine = fine && !work->results[g].info->has_stopped;
            report_json_result(&work->results[g], &options, out);
            results_free(&work->results[g], 1);
        }
        free(work->errors[g]);
    }
    return fine;
}

void sweep_job_run(const struct sweep_plan *plan, size_t k, FILE *out)
{
    struct work work = {.plan = plan};
    struct sweep_head head = sweep_plan_head(plan, k, &work.job);
    char *runs = NULL;
    size_t bytes;
    FILE *text = memory_stream(&runs, &bytes);
    work.results = memory_take(plan->gpus.count, sizeof *work.results);
    work.opened = memory_take(1, sizeof *work.opened);
    if (text && work.results && work.opened) {
        if (!run_gpus(&work, 0, plan->gpus.count))
            run_under_each(&work);
        const bool fine = put_runs(&work, text);
        fclose(text);
        text = NULL;
        fputc(fine ? SWEEP_JOB_FINE : work.is_bug ? SWEEP_JOB_BUG : SWEEP_JOB_FAILED, out);
        sweep_head_put(&head, out);
        sweep_line_put_runs(runs, bytes, out);
    }
    if (text)
        fclose(text);
    free(runs);
    free(work.results);
    free(work.opened);
}
