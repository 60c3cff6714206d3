/* record.c - a sink that gives all it gets to a spool, as long as that can keep it, and to another sink. */
#include "advise/record.h"

#include <inttypes.h>
#include <string.h>

#include "report/report.h"

/* A long run is left to `warplens advise`, which takes the first part of it. */
static bool keep(struct recording *r, bool fine)
{
    r->is_kept = fine && r->spool.blocks_dropped == 0;
    return true;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_note(&r->kept, key, value))) &&
           sink_note(r->taker, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_site(&r->kept, number, site))) &&
           sink_site(r->taker, number, site);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_launch_begin(&r->kept, launch))) &&
           sink_launch_begin(r->taker, launch);
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_access(&r->kept, access))) && sink_access(r->taker, access);
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_event(&r->kept, event))) && sink_event(r->taker, event);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_copy(&r->kept, copy))) && sink_copy(r->taker, copy);
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_fault(&r->kept, fault))) && sink_fault(r->taker, fault);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct recording *r = context;
    return (!r->is_kept || keep(r, sink_launch_end(&r->kept, shared_bytes_per_block))) &&
           sink_launch_end(r->taker, shared_bytes_per_block);
}

static const char *run(void *context, const struct trace_sink *taker)
{
    struct recording *r = context;
    const struct trace_sink both = {.context = r,
                                    .note = on_note,
                                    .site = on_site,
                                    .launch_begin = on_launch_begin,
                                    .access = on_access,
                                    .event = on_event,
                                    .copy = on_copy,
                                    .fault = on_fault,
                                    .launch_end = on_launch_end};
    r->taker = taker;
    return r->source.run(r->source.context, &both);
}

struct trace_source recording_start(struct recording *recording, struct trace_source source,
                                    uint64_t access_limit)
{
    *recording = (struct recording){.source = source};
    recording->is_kept = spool_start(&recording->spool, access_limit);
    recording->kept = spool_sink(&recording->spool);
    return (struct trace_source){recording, run};
}

void recording_stop(struct recording *recording)
{
    spool_stop(&recording->spool);
}

/* Why the run was not kept, or why there is no advice on it. */
static void refuse(const struct recording *r, const char *error, char text[ADVISE_MESSAGE_BYTES])
{
    char number[REPORT_NUMBER_BYTES];
    if (error)
        snprintf(text, ADVISE_MESSAGE_BYTES, "%s", error);
    else if (r->spool.message[0])
        snprintf(text, ADVISE_MESSAGE_BYTES, "%s", r->spool.message);
    else
        snprintf(text, ADVISE_MESSAGE_BYTES,
                 "the run has more than %s accesses, and to try changes of so many takes a while; "
                 "`warplens advise` with the same arguments does it",
                 report_number(r->spool.access_limit, number));
}

void recording_advise(struct recording *recording, const struct advise_request *request,
                      struct advice_report *reports)
{
    char message[ADVISE_MESSAGE_BYTES];
    const char *error = NULL;
    memset(reports, 0, request->gpu_count * sizeof *reports);
    if (recording->is_kept)
        error = advise_spooled(&recording->spool, request, reports, message);
    for (size_t i = 0; i < request->gpu_count && (error || !recording->is_kept); i++)
        refuse(recording, error, reports[i].refusal);
}
