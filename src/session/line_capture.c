/* line_capture.c - the run goes past an observer of the line's accesses, and nowhere else. */
#include "session/line_capture.h"

#include <stdio.h>
#include <string.h>

#include "observe/observer.h"

static bool on_note(void *context, const char *key, const char *value)
{
    return run_info_note(context, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    (void)number;
    return run_info_add_site(context, site);
}

static bool on_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

/* "lines with accesses: 38, 46" */
static const char *fail_without_access(const struct run_info *info, uint32_t line)
{
    static char message[512];
    char text[256] = "";
    size_t used = 0;
    uint32_t after = 0;
    while (used < sizeof text - 16) { /* the next higher line, until there is none */
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < info->site_count; i++)
            if (info->sites[i].line > after && info->sites[i].line < next)
                next = info->sites[i].line;
        if (next == UINT32_MAX)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? ", " : "", next);
        after = next;
    }
    snprintf(message, sizeof message, "line %u has no memory access; lines of %s that have: %s",
             line, info->kernel, used ? text : "none");
    return message;
}

static void keep(struct captured_access *to, const struct observed_worst *worst)
{
    to->cost = worst->cost;
    to->order = worst->order;
    to->array = worst->access.array;
    to->access = worst->access.access;
    memcpy(to->addr, worst->access.addr, sizeof to->addr);
    if (to->access.addr)
        to->access.addr = to->addr;
    to->copy = worst->access.copy;
    if (to->access.copy)
        to->access.copy = &to->copy;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    return run_info_add_fault(context, "", fault);
}

/* Files may have the line with the same number: the costliest of theirs, the first of equals. */
static void capture_place(const struct observed_place *place, size_t gpu_count,
                          struct captured_access *captured)
{
    for (size_t g = 0; g < gpu_count; g++) {
        struct captured_access *to =
            &captured[g * CAPTURE_KINDS + place->space * OP_COUNT + place->op];
        const struct observed_worst *worst = &place->worst[g];
        const bool first = to->count == 0;
        to->count += place->count;
        if (!first &&
            (worst->cost < to->cost || (worst->cost == to->cost && worst->order > to->order)))
            continue;
        keep(to, worst);
    }
}

static const char *capture(struct observer *observer, const struct session_request *request,
                           struct captured_access *captured, struct run_info *info)
{
    const struct trace_sink rest = {
        .context = info, .note = on_note, .site = on_site, .access = on_access, .fault = on_fault};
    const struct trace_sink sink = observer_sink(observer, &rest);
    const char *error = request->source.run(request->source.context, &sink);
    if (error)
        return error;
    struct observation *seen = observer_finish(observer);
    if (seen == NULL)
        return "no memory for the line's accesses";
    for (size_t i = 0; i < seen->place_count; i++)
        capture_place(&seen->places[i], request->gpu_count, captured);
    if (seen->place_count == 0)
        error = fail_without_access(info, observer->only_line);
    observation_free(seen);
    return error;
}

const char *line_capture_run(const struct session_request *request, uint32_t line,
                             struct captured_access *captured, struct run_info **info)
{
    const struct arch *arches[SESSION_GPUS_MAX];
    struct observer observer;
    const char *error = "no memory, or no rules for one of the GPUs";
    memset(captured, 0, request->gpu_count * CAPTURE_KINDS * sizeof *captured);
    for (size_t i = 0; i < request->gpu_count; i++)
        arches[i] = &request->gpus[i].arch;
    *info = run_info_new();
    if (*info == NULL)
        return error;
    if (observer_start(&observer, arches, request->gpu_count,
                       (const struct trace_site *const *)&(*info)->sites, line))
        error = capture(&observer, request, captured, *info);
    observer_free(&observer);
    return error;
}
