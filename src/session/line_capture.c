/* line_capture.c - every access of the line is judged alone, by a judge with one site that is
 * cleared each time; its transactions, passes and sectors are the cost. */
#include "session/line_capture.h"

#include <stdio.h>
#include <string.h>

struct capture {
    const struct session_request *request;
    struct run_info *info;
    uint32_t line;
    struct judge *judges; /* one a GPU */
    struct captured_access *captured;
};

static uint64_t cost_of(struct judge *judge, const struct warp_access *access)
{
    struct warp_access alone = *access;
    struct counters *c = &judge->sites[0];
    alone.site = 0;
    memset(c, 0, sizeof *c);
    judge_access(judge, &alone, NULL);
    return c->global_load_transactions + c->global_store_transactions +
           c->global_atomic_transactions + c->shared_load_passes + c->shared_store_passes +
           c->shared_atomic_passes + c->constant_load_passes + c->read_only_load_sectors +
           c->local_load_sectors + c->local_store_sectors;
}

static void keep(struct captured_access *to, const struct warp_access *access, uint64_t cost,
                 const char *array)
{
    to->cost = cost;
    to->array = array;
    to->access = *access;
    if (access->addr) {
        memcpy(to->addr, access->addr, sizeof to->addr);
        to->access.addr = to->addr;
    }
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct capture *capture = context;
    return run_info_note(capture->info, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct capture *capture = context;
    (void)number;
    return run_info_add_site(capture->info, site);
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct capture *capture = context;
    const struct trace_site *site = &capture->info->sites[access->site];
    if (site->line != capture->line)
        return true;
    for (size_t i = 0; i < capture->request->gpu_count; i++) {
        struct captured_access *to =
            &capture->captured[i * CAPTURE_KINDS + access->space * OP_COUNT + access->op];
        uint64_t cost = cost_of(&capture->judges[i], access);
        if (to->count++ == 0 || cost > to->cost)
            keep(to, access, cost, site->array);
    }
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

static bool judges_start(const struct session_request *request, struct judge *judges)
{
    for (size_t i = 0; i < request->gpu_count; i++)
        if (!judge_init(&judges[i], &request->gpus[i].arch, 1) ||
            !judge_reserve_sites(&judges[i], 1))
            return false;
    return true;
}

static bool anything(const struct captured_access *captured)
{
    for (size_t i = 0; i < CAPTURE_KINDS; i++)
        if (captured[i].count)
            return true;
    return false;
}

const char *line_capture_run(const struct session_request *request, uint32_t line,
                             struct captured_access *captured, struct run_info **info)
{
    struct judge judges[64] = {0};
    struct capture capture = {request, run_info_new(), line, judges, captured};
    const struct trace_sink sink = {
        .context = &capture, .note = on_note, .site = on_site, .access = on_access};
    const char *error = "no memory, or no rules for one of the GPUs";
    memset(captured, 0, request->gpu_count * CAPTURE_KINDS * sizeof *captured);
    *info = capture.info;
    if (capture.info && judges_start(request, judges))
        error = request->source.run(request->source.context, &sink);
    if (error == NULL && !anything(captured))
        error = fail_without_access(capture.info, line);
    for (size_t i = 0; i < request->gpu_count; i++)
        judge_free(&judges[i]);
    return error;
}
