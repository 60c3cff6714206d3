/* measure.c - a chain of sinks in front of a sink. */
#include "advise/measure.h"

#include <stdlib.h>

#include "advise/combine.h"
#include "advise/regroup.h"
#include "advise/stage.h"
#include "advise/transform.h"
#include "text/memory.h"

/* One change of the chain. */
struct link {
    struct transform transform;
    struct stage stage;
    struct combine combine;
    struct regroup regroup;
    struct trace_sink transformed, combined, staged,
        sink; /* what each of the four takes; the first in front */
};

static void link_start(struct link *link, const struct plan *plan, size_t i,
                       const struct trace_sink *next)
{
    const struct change *change = plan->changes[i];
    transform_start(&link->transform, change, plan->observed[i], next);
    link->transformed = link->combined = transform_sink(&link->transform);
    if (combine_is_due(change)) {
        combine_start(&link->combine, change, plan->observed[i], &link->transformed);
        link->combined = combine_sink(&link->combine);
    }
    link->staged = link->combined;
    if (change->staging.object != NO_OBJECT) {
        stage_start(&link->stage, &change->staging, plan->observed[i], &link->combined);
        link->staged = stage_sink(&link->stage);
    }
    link->sink = link->staged;
    if (change->regrouping.kind == REGROUP_NONE)
        return;
    regroup_start(&link->regroup, &change->regrouping, plan->observed[i], &link->staged);
    link->sink = regroup_sink(&link->regroup);
}

static void link_stop(struct link *link, const struct change *change)
{
    transform_stop(&link->transform);
    if (change->staging.object != NO_OBJECT)
        stage_stop(&link->stage);
    regroup_stop(&link->regroup);
}

/* As plan_replay; *refusal: NULL, or why a change cannot be made. */
static bool replay(const struct plan *plan, struct spool *spool, const struct trace_sink *sink,
                   const char **refusal)
{
    struct link *links = memory_take(PLAN_CHANGES_MAX, sizeof *links);
    const struct trace_sink *next = sink;
    struct block_order order = {0};
    *refusal = NULL;
    if (links == NULL)
        return false;
    for (size_t i = plan->count; i-- > 0; next = &links[i].sink) {
        link_start(&links[i], plan, i, next);
        order = order.of ? order : plan->changes[i]->order;
    }
    const bool fine = spool_replay(spool, order, next);
    for (size_t i = 0; i < plan->count; i++) {
        *refusal = links[i].regroup.refusal ? links[i].regroup.refusal : *refusal;
        link_stop(&links[i], plan->changes[i]);
    }
    free(links);
    return fine;
}

bool plan_replay(const struct plan *plan, struct spool *spool, const struct trace_sink *sink)
{
    const char *refusal;
    return replay(plan, spool, sink, &refusal);
}

/* ---- Looking --------------------------------------------------------------------------------- */

bool plan_observe(const struct plan *plan, struct spool *spool, struct observed *observed)
{
    struct surveyor *surveyor = surveyor_new(observed);
    if (surveyor == NULL)
        return false;
    const struct trace_sink first = surveyor_first_pass(surveyor);
    bool fine = plan_replay(plan, spool, &first);
    if (fine) {
        const struct trace_sink second = surveyor_second_pass(surveyor);
        fine = plan_replay(plan, spool, &second);
    }
    surveyor_free(surveyor);
    if (!fine)
        observed_free(observed);
    return fine;
}

/* ---- Judging --------------------------------------------------------------------------------- */

struct planned {
    const struct plan *plan;
    struct spool *spool;
};

static const char *run_planned(void *context, const struct trace_sink *sink)
{
    struct planned *planned = context;
    const char *refusal;
    bool fine = replay(planned->plan, planned->spool, sink, &refusal);
    if (refusal)
        return refusal;
    return fine || planned->spool->message[0] == '\0' ? NULL : planned->spool->message;
}

const char *measure_run(const struct measure *m, const struct plan *plan, bool rules_only,
                        struct result *result)
{
    struct planned planned = {plan, m->spool};
    const struct session_request request = {.source = {&planned, run_planned},
                                            .gpus = m->gpu,
                                            .gpu_count = 1,
                                            .registers_per_thread = m->registers_per_thread,
                                            .rules_only = rules_only,
                                            .cold_launches = m->cold_launches,
                                            .keeps_sites = true};
    return session_run(&request, result);
}
