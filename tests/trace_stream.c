/* trace_stream.c - keeps every call of a stream as a line of text. */
#define _GNU_SOURCE
#include "test_support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/time/managed.h"
#include "trace_stream.h"

static bool goes_on(struct trace_stream *s)
{
    s->calls++;
    fputc('\n', s->lines);
    return s->call_limit == 0 || s->calls < s->call_limit;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct trace_stream *s = context;
    if (s->by_place)
        return true;
    fprintf(s->lines, "note '%s' '%s'", key, value);
    return goes_on(s);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct trace_stream *s = context;
    if (s->by_place) {
        assert_true(number == s->site_count && number < TRACE_STREAM_SITES);
        s->sites[s->site_count] = *site;
        s->sites[s->site_count].file = strdup(site->file);
        s->sites[s->site_count++].array = strdup(site->array);
        return true;
    }
    fprintf(s->lines, "site %" PRIu32 " '%s':%" PRIu32 " '%s' space %u op %u width %u", number,
            site->file, site->line, site->array, site->space, site->op, site->width);
    return goes_on(s);
}

static void put_managed(struct trace_stream *s, const struct managed_range *range)
{
    uint64_t first = range->address / MANAGED_PAGE_BYTES;
    uint64_t last = (range->address + range->bytes - 1) / MANAGED_PAGE_BYTES;
    fprintf(s->lines, " managed 0x%" PRIx64 "+%" PRIu64 " pages ", range->address, range->bytes);
    for (uint64_t page = first; range->touched && page <= last; page++)
        fprintf(s->lines, "%u", range->touched[page - first]);
    if (range->touched == NULL)
        fputs("none", s->lines);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct trace_stream *s = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    fprintf(s->lines,
            "launch '%s' grid %" PRIu32 ",%" PRIu32 ",%" PRIu32 " block %" PRIu32 ",%" PRIu32
            ",%" PRIu32 " shared %" PRIu64 " registers %" PRIu32,
            launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2], launch->dynamic_shared_bytes,
            launch->registers);
    for (size_t i = 0; i < launch->array_count; i++)
        fprintf(s->lines, " array '%s' 0x%" PRIx64 "+%" PRIu64 " home %u", launch->arrays[i].name,
                launch->arrays[i].base, launch->arrays[i].bytes, launch->arrays[i].home);
    for (size_t i = 0; i < launch->managed_count; i++)
        put_managed(s, &launch->managed[i]);
    return goes_on(s);
}

static void put_site(struct trace_stream *s, uint32_t number)
{
    if (!s->by_place) {
        fprintf(s->lines, "%" PRIu32, number);
        return;
    }
    assert_true(number < s->site_count);
    const struct trace_site *site = &s->sites[number];
    fprintf(s->lines, "'%s':%" PRIu32 " '%s'", site->file, site->line, site->array);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct trace_stream *s = context;
    fprintf(s->lines, "access block %" PRIu32 " warp %" PRIu32 " site ", a->block, a->warp);
    put_site(s, a->site);
    fprintf(s->lines,
            " space %u op %u width %u active 0x%" PRIx32 " resident 0x%" PRIx32
            " flags 0x%x work %u needs %u",
            a->space, a->op, a->width, a->active, a->resident, a->flags, a->work, a->loads_left);
    if (a->lag)
        fprintf(s->lines, " lag %u", a->lag);
    if (a->addr == NULL)
        fprintf(s->lines, " base 0x%" PRIx64 " stride %" PRId64, a->base, a->stride);
    for (unsigned lane = 0; a->addr && lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane))
            fprintf(s->lines, " %u:0x%" PRIx64, lane, a->addr[lane]);
    for (unsigned lane = 0; s->shows_values && a->values && lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane))
            fprintf(s->lines, " %u=0x%" PRIx32, lane, a->values[lane]);
    return goes_on(s);
}

static bool on_event(void *context, const struct trace_event *event)
{
    static const char *const names[] = {[TRACE_BARRIER] = "barrier",
                                        [TRACE_WARP_END] = "warp end",
                                        [TRACE_BLOCK_END] = "block end"};
    struct trace_stream *s = context;
    fprintf(s->lines, "%s block %" PRIu32 " warp %" PRIu32 " work %u", names[event->kind],
            event->block, event->warp, event->work);
    if (event->lag)
        fprintf(s->lines, " lag %u", event->lag);
    if (event->kind == TRACE_BLOCK_END)
        fprintf(s->lines, " shared %" PRIu64, event->shared_bytes);
    return goes_on(s);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct trace_stream *s = context;
    fprintf(s->lines,
            "sync %u block %" PRIu32 " warp %" PRIu32
            " lanes 0x%x mask 0x%x running 0x%x '%s':%" PRIu32,
            sync->kind, sync->block, sync->warp, sync->lanes, sync->mask, sync->running, sync->file,
            sync->line);
    return goes_on(s);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct trace_stream *s = context;
    fprintf(s->lines, "launch end shared %" PRIu64, shared_bytes_per_block);
    return goes_on(s);
}

void trace_stream_start(struct trace_stream *stream)
{
    *stream = (struct trace_stream){.text = NULL};
    stream->lines = open_memstream(&stream->text, &stream->bytes);
    assert_non_null(stream->lines);
    stream->sink = (struct trace_sink){.context = stream,
                                       .note = on_note,
                                       .site = on_site,
                                       .launch_begin = on_launch_begin,
                                       .access = on_access,
                                       .event = on_event,
                                       .sync = on_sync,
                                       .launch_end = on_launch_end};
}

void trace_stream_end(struct trace_stream *stream)
{
    fclose(stream->lines);
    assert_non_null(stream->text);
}

void trace_stream_free(struct trace_stream *stream)
{
    free(stream->text);
    for (uint32_t i = 0; i < stream->site_count; i++) {
        free((char *)(uintptr_t)stream->sites[i].file);
        free((char *)(uintptr_t)stream->sites[i].array);
    }
}

void trace_stream_assert_equal(const struct trace_stream *got, const struct trace_stream *expected,
                               const char *title)
{
    const char *a = got->text, *b = expected->text;
    if (strcmp(a, b) == 0)
        return;
    for (uint64_t call = 1;; call++) {
        size_t a_bytes = strcspn(a, "\n"), b_bytes = strcspn(b, "\n");
        if (a_bytes != b_bytes || memcmp(a, b, a_bytes) != 0)
            fail_msg("%s: call %" PRIu64 " is\n  %.*s\ninstead of\n  %.*s", title, call,
                     (int)a_bytes, a, (int)b_bytes, b);
        a += a_bytes + 1;
        b += b_bytes + 1;
    }
}

char *trace_stream_example(const char *path)
{
    static const char fence[] = "```\n";
    char line[512], *text = NULL;
    size_t bytes;
    FILE *document = fopen(path, "r"), *out = open_memstream(&text, &bytes);
    assert_non_null(document);
    assert_non_null(out);
    unsigned fences = 0;
    while (fences < 2 && fgets(line, sizeof line, document)) {
        bool is_fence = strcmp(line, fence) == 0;
        fences += is_fence;
        if (fences == 1 && !is_fence)
            fputs(line, out);
    }
    fclose(document);
    fclose(out);
    return text;
}
