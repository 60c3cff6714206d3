/* trace_calls.c - see trace_calls.h. */
#include "test_support.h"

#include "trace_calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const space_names[] = {"global", "shared", "local", "constant", "texture"};
static const char *const op_names[] = {"load", "store", "atomic"};

static void add(struct trace_calls *calls, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct trace_calls *calls, const char *format, ...)
{
    va_list arguments;
    if (calls->used + 8192 > calls->room) {
        calls->room = 2 * calls->room + 16384;
        calls->text = realloc(calls->text, calls->room);
        assert_non_null(calls->text);
    }
    va_start(arguments, format);
    int length = vsnprintf(calls->text + calls->used, 8192, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, 8191);
    calls->used += (size_t)length;
}

static bool goes_on(struct trace_calls *calls)
{
    return calls->calls_left == 0 || --calls->calls_left != 0;
}

static bool take_note(void *context, const char *key, const char *value)
{
    struct trace_calls *calls = context;
    if (!calls->bare)
        add(calls, "note %s=%s\n", key, value);
    return goes_on(calls);
}

static bool take_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct trace_calls *calls = context;
    if (!calls->bare)
        add(calls, "site %" PRIu32 " %s:%" PRIu32 " [%s] %s %s %u\n", number, site->file,
            site->line, site->array, space_names[site->space], op_names[site->op], site->width);
    return goes_on(calls);
}

static bool take_launch(void *context, const struct launch_info *launch)
{
    struct trace_calls *calls = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    add(calls,
        "launch %s grid %" PRIu32 ",%" PRIu32 ",%" PRIu32 " block %" PRIu32 ",%" PRIu32 ",%" PRIu32,
        launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2]);
    if (!calls->bare)
        add(calls, " shared %" PRIu64, launch->dynamic_shared_bytes);
    add(calls, " registers %" PRIu32 "%s", launch->registers, launch->array_count ? " arrays" : "");
    for (size_t i = 0; i < launch->array_count; i++)
        add(calls, " %s@%" PRIx64 "+%" PRIu64, calls->bare ? "" : launch->arrays[i].name,
            launch->arrays[i].base, launch->arrays[i].bytes);
    add(calls, "\n");
    return goes_on(calls);
}

static void add_addresses(struct trace_calls *calls, const struct warp_access *access)
{
    if (access->addr == NULL) {
        add(calls, " @%" PRIx64 "%+" PRId64, access->base, access->stride);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(access, lane))
            add(calls, " %" PRIx64, access->addr[lane]);
}

static bool take_access(void *context, const struct warp_access *a)
{
    struct trace_calls *calls = context;
    assert_int_not_equal(a->active, 0);
    assert_int_equal(a->active & ~a->resident, 0);
    add(calls, "access %" PRIu32 ".%" PRIu32, a->block, a->warp);
    if (!calls->bare)
        add(calls, " site %" PRIu32, a->site);
    add(calls, " %s %s %u active %08" PRIx32 " of %08" PRIx32 " work %u", space_names[a->space],
        op_names[a->op], a->width, a->active, a->resident, a->work);
    if (a->loads_left == NEEDS_NO_LOAD && a->op == OP_LOAD)
        add(calls, " left none");
    else if (a->op == OP_LOAD || !calls->bare)
        add(calls, " left %u", a->loads_left);
    add_addresses(calls, a);
    if (a->flags & ACCESS_READ_ONLY)
        add(calls, " read-only");
    if (a->flags & ACCESS_VOLATILE)
        add(calls, " volatile");
    if (access_is_matrix(a))
        add(calls, " matrix");
    add(calls, "\n");
    return goes_on(calls);
}

static bool take_event(void *context, const struct trace_event *event)
{
    struct trace_calls *calls = context;
    if (event->kind == TRACE_BLOCK_END)
        add(calls, "block %" PRIu32 " shared %" PRIu64 "\n", event->block, event->shared_bytes);
    else
        add(calls, "%s %" PRIu32 ".%" PRIu32 " work %u\n",
            event->kind == TRACE_BARRIER ? "barrier" : "end", event->block, event->warp,
            event->work);
    return goes_on(calls);
}

static bool take_fault(void *context, const struct trace_fault *f)
{
    struct trace_calls *calls = context;
    if (!calls->bare)
        add(calls,
            "fault %u stops %d count %" PRIu64 " %s:%" PRIu32 " [%s] space %u op %u width %u "
            "offset %" PRId64 " of %" PRIu64 " block %u,%u,%u thread %u,%u,%u: %s\n",
            f->kind, f->stops, f->count, f->file, f->line, f->array, f->space, f->op, f->width,
            f->offset, f->array_bytes, f->block[0], f->block[1], f->block[2], f->thread[0],
            f->thread[1], f->thread[2], f->text);
    return goes_on(calls);
}

static bool take_launch_end(void *context, uint64_t shared_bytes)
{
    struct trace_calls *calls = context;
    add(calls, "done shared %" PRIu64 "\n", shared_bytes);
    return goes_on(calls);
}

struct trace_sink trace_calls_sink(struct trace_calls *calls)
{
    return (struct trace_sink){.context = calls,
                               .note = take_note,
                               .site = take_site,
                               .launch_begin = take_launch,
                               .access = take_access,
                               .event = take_event,
                               .fault = take_fault,
                               .launch_end = take_launch_end};
}

void trace_calls_free(struct trace_calls *calls)
{
    free(calls->text);
    *calls = (struct trace_calls){0};
}
