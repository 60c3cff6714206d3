/* advise.c - a source -> a spool -> for each GPU rounds of trying, each with the best change of those
 * before made.
 */
#include "advise/advise.h"

#include <stdlib.h>
#include <string.h>

#include "advise/round.h"
#include "text/memory.h"
#include "text/progress.h"

static const char no_memory[] = "no memory for the advice";

static bool keep_advice(struct advice_report *report, const struct round *round)
{
    const size_t count = report->advice_count + round->trial_count;
    struct advice *grown = memory_grow(report->advice, (count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    report->advice = grown;
    for (size_t i = 0; i < round->trial_count; i++)
        grown[report->advice_count++] = round->trials[i].advice;
    return true;
}

/* Of the run as it is. */
static bool keep_untried(struct advice_report *report, const struct round *round)
{
    report->untried = memory_take(round->untried_count + 1, sizeof *report->untried);
    if (report->untried == NULL)
        return false;
    memcpy(report->untried, round->untried, round->untried_count * sizeof *report->untried);
    report->untried_count = round->untried_count;
    return true;
}

/* Runs a round and, when it has found something, the next one on top of its best change. */
static const char *run_rounds(struct advice_report *report, struct measure *measure,
                              struct round *rounds)
{
    struct plan plan = {0};
    for (uint32_t i = 0; i < ADVICE_ROUNDS_MAX; i++) {
        struct plan before = plan;
        const char *error = round_run(&rounds[i], measure, &before, i);
        report->runs += rounds[i].runs;
        if (error)
            return error;
        rounds[i].plan = NULL; /* gone with this turn */
        if (!keep_advice(report, &rounds[i]) || (i == 0 && !keep_untried(report, &rounds[i])))
            return no_memory;
        if (rounds[i].trial_count == 0)
            break;
        plan.changes[plan.count] = &rounds[i].trials[0].change;
        plan.observed[plan.count++] = &rounds[i].observed;
    }
    return NULL;
}

static const char *advise_gpu(struct spool *spool, const struct advise_request *request, size_t gpu,
                              struct advice_report *report)
{
    struct measure measure = {spool, &request->gpus[gpu], request->registers_per_thread,
                              request->cold_launches};
    struct round *rounds = memory_take(ADVICE_ROUNDS_MAX, sizeof *rounds);
    *report = (struct advice_report){.gpu = request->gpus[gpu].model,
                                     .info = spool->info,
                                     .blocks_left_out = spool->blocks_dropped};
    spool->info->references++;
    if (rounds == NULL)
        return no_memory;
    if (spool->launch_count == 0 && spool->info->has_stopped) {
        snprintf(report->refusal, sizeof report->refusal, "no launch was complete: %.400s",
                 run_info_stop(spool->info)->fault.text);
        free(rounds);
        return NULL;
    }
    const char *error = run_rounds(report, &measure, rounds);
    if (error == NULL) {
        report->result = rounds[0].result;
        rounds[0].has_result = false;
    }
    for (size_t i = 0; i < ADVICE_ROUNDS_MAX; i++)
        round_free(&rounds[i]);
    free(rounds);
    return error;
}

static const char *advise_gpus(struct spool *spool, const struct advise_request *request,
                               struct advice_report *reports)
{
    const char *error = NULL;
    for (size_t i = 0; error == NULL && i < request->gpu_count; i++) {
        error = advise_gpu(spool, request, i, &reports[i]);
        if (error)
            advise_free(reports, i + 1);
    }
    progress_note("");
    return error;
}

const char *advise_spooled(struct spool *spool, const struct advise_request *request,
                           struct advice_report *reports, char message[ADVISE_MESSAGE_BYTES])
{
    memset(reports, 0, request->gpu_count * sizeof *reports);
    const char *error = advise_gpus(spool, request, reports);
    if (error)
        snprintf(message, ADVISE_MESSAGE_BYTES, "%s", error);
    return error ? message : NULL;
}

const char *advise_run(const struct advise_request *request, struct advice_report *reports,
                       char message[ADVISE_MESSAGE_BYTES])
{
    struct spool spool;
    const char *error = spool_start(&spool, ADVISE_ACCESSES_MAX) ? NULL : spool.message;
    if (error == NULL) {
        const struct trace_sink sink = spool_sink(&spool);
        error = request->source.run(request->source.context, &sink);
    }
    /* Why it has stopped the run, which knows only that it has been stopped. */
    if (spool.message[0])
        error = spool.message;
    if (error)
        snprintf(message, ADVISE_MESSAGE_BYTES, "%s", error);
    else
        error = advise_spooled(&spool, request, reports, message);
    spool_stop(&spool);
    return error ? message : NULL;
}

void advise_free(struct advice_report *reports, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        results_free(&reports[i].result, 1);
        run_info_release(reports[i].info);
        free(reports[i].advice);
        free(reports[i].untried);
        reports[i] = (struct advice_report){0};
    }
}
