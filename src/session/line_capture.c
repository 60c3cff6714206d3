/* line_capture.c - every access of the line is judged alone, by a judge with one site that is
 * cleared each time; its transactions, passes and sectors are the cost. */
#include "session/line_capture.h"

#include <stdio.h>
#include <string.h>

struct capture {
    const struct session_request *request;
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

static void on_access(void *context, const struct warp_access *access)
{
    struct capture *capture = context;
    size_t site_count;
    const struct trace_site *site = &tracer_sites(&site_count)[access->site];
    if (site->line != capture->line)
        return;
    for (size_t i = 0; i < capture->request->gpu_count; i++) {
        struct captured_access *to =
            &capture->captured[i * CAPTURE_KINDS + access->space * OP_COUNT + access->op];
        uint64_t cost = cost_of(&capture->judges[i], access);
        if (to->count++ == 0 || cost > to->cost)
            keep(to, access, cost, site->array);
    }
}

static void on_launch_begin(void *context, const struct launch_info *launch)
{
    (void)context;
    (void)launch;
}

static void on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    (void)context;
    (void)shared_bytes_per_block;
}

/* "lines with accesses: 38, 46" */
static void fail_without_access(const struct session_request *request, uint32_t line)
{
    char text[256] = "";
    size_t used = 0, count;
    const struct trace_site *sites = tracer_sites(&count);
    uint32_t after = 0;
    while (used < sizeof text - 16) { /* the next higher line, until there is none */
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < count; i++)
            if (sites[i].line > after && sites[i].line < next)
                next = sites[i].line;
        if (next == UINT32_MAX)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? ", " : "", next);
        after = next;
    }
    tracer_fail("line %u has no memory access; lines of %s that have: %s", line,
                request->kernel->name, used ? text : "none");
}

static bool judges_start(const struct session_request *request, struct judge *judges)
{
    for (size_t i = 0; i < request->gpu_count; i++)
        if (!judge_init(&judges[i], &request->gpus[i].arch, 1) ||
            !judge_reserve_sites(&judges[i], 1)) {
            tracer_fail("no memory, or no rules, for %s", request->gpus[i].model->name);
            return false;
        }
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
                             struct captured_access *captured)
{
    struct judge judges[64] = {0};
    struct capture capture = {request, line, judges, captured};
    struct trace_sink sink = {&capture, on_launch_begin, on_access, on_launch_end, NULL};
    memset(captured, 0, request->gpu_count * CAPTURE_KINDS * sizeof *captured);
    tracer_start(&sink);
    if (judges_start(request, judges))
        request->kernel->run(request->args);
    if (tracer_error() == NULL && !anything(captured))
        fail_without_access(request, line);
    for (size_t i = 0; i < request->gpu_count; i++)
        judge_free(&judges[i]);
    tracer_stop();
    return tracer_error();
}
