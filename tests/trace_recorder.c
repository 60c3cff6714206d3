/* trace_recorder.c - keeps the warp accesses of a traced run, for the tests of the tracer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"

struct recorder recorder;

static struct {
    const char *file;
    unsigned line;
} places[HERE_COUNT];

void runtime_note(enum here here, const char *file, unsigned line)
{
    const char *slash = strrchr(file, '/');
    places[here].file = slash ? slash + 1 : file;
    places[here].line = line;
}

unsigned recorder_line(enum here here)
{
    return places[here].line;
}

static void hash_add(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++)
        recorder.hash = (recorder.hash ^ p[i]) * 0x100000001b3ULL;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    (void)context;
    assert_int_equal(number, recorder.site_count);
    assert_in_range(number, 0, RECORDER_SITES - 1);
    recorder.sites[recorder.site_count++] = *site; /* the texts stay valid until the next run */
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    (void)context;
    assert_int_equal(recorder.begun, recorder.ended);
    if (recorder.begun < RECORDER_LAUNCHES)
        recorder.launches[recorder.begun] = *launch;
    recorder.begun++;
    return true;
}

static struct recorded copy_of(const struct warp_access *access)
{
    struct recorded copy;
    memset(&copy, 0, sizeof copy);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(access, lane))
            copy.addr[lane] = access_addr(access, lane);
    copy.active = access->active;
    copy.resident = access->resident;
    copy.block = access->block;
    copy.warp = access->warp;
    copy.work = access->work;
    copy.loads_left = access->loads_left;
    copy.site = access->site;
    copy.launch = recorder.begun - 1;
    copy.width = access->width;
    copy.op = access->op;
    copy.space = access->space;
    copy.flags = access->flags;
    copy.affine = access->addr == NULL;
    return copy;
}

static bool on_access(void *context, const struct warp_access *access)
{
    (void)context;
    assert_int_equal(recorder.begun, recorder.ended + 1);
    struct recorded copy = copy_of(access);
    if (recorder.count < RECORDER_KEEPS)
        recorder.kept[recorder.count++] = copy;
    recorder.total++;
    hash_add(&copy, sizeof copy);
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    (void)context;
    assert_int_equal(recorder.begun, recorder.ended + 1);
    if (recorder.event_count < RECORDER_KEEPS_EVENTS)
        recorder.events[recorder.event_count++] = (struct recorded_event){*event, recorder.count};
    hash_add(&event->kind, sizeof event->kind);
    hash_add(&event->block, sizeof event->block);
    hash_add(&event->warp, sizeof event->warp);
    hash_add(&event->work, sizeof event->work);
    return true;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    (void)context;
    recorder.fault_count++;
    recorder.fault = *fault;
    snprintf(recorder.fault_text, sizeof recorder.fault_text, "%s", fault->text);
    return true;
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    (void)context;
    recorder.ended++;
    recorder.shared_bytes = shared_bytes_per_block;
    return true;
}

void recorder_run(host_function *host, const struct runtime_args *args)
{
    static struct recorded kept[RECORDER_KEEPS];
    static struct recorded_event events[RECORDER_KEEPS_EVENTS];
    const struct trace_sink sink = {.site = on_site,
                                    .launch_begin = on_launch_begin,
                                    .access = on_access,
                                    .event = on_event,
                                    .fault = on_fault,
                                    .launch_end = on_launch_end};
    recorder = (struct recorder){.kept = kept, .events = events, .hash = 0xcbf29ce484222325ULL};
    memset(places, 0, sizeof places);
    tracer_start(&sink);
    host(args);
    tracer_stop();
}

void recorder_run_well(host_function *host, const struct runtime_args *args)
{
    recorder_run(host, args);
    if (tracer_error())
        fail_msg("%s", tracer_error());
}

const struct trace_site *recorder_site(const struct recorded *access)
{
    assert_true(access->site < recorder.site_count);
    return &recorder.sites[access->site];
}

static bool is_at(const struct recorded *access, enum here here)
{
    const struct trace_site *site = recorder_site(access);
    return places[here].file && site->line == places[here].line &&
           strcmp(site->file, places[here].file) == 0;
}

size_t recorder_count_at(enum here here)
{
    size_t count = 0;
    for (size_t i = 0; i < recorder.count; i++)
        count += is_at(&recorder.kept[i], here);
    return count;
}

const struct recorded *recorder_at(enum here here, size_t number)
{
    for (size_t i = 0; i < recorder.count; i++)
        if (is_at(&recorder.kept[i], here) && number-- == 0)
            return &recorder.kept[i];
    fail_msg("too few accesses at %s:%u", places[here].file ? places[here].file : "?",
             places[here].line);
    return NULL;
}

size_t recorder_count_of(const char *array)
{
    size_t count = 0;
    for (size_t i = 0; i < recorder.count; i++)
        count += strcmp(recorder_site(&recorder.kept[i])->array, array) == 0;
    return count;
}

const struct recorded *recorder_of(const char *array, size_t number)
{
    for (size_t i = 0; i < recorder.count; i++)
        if (strcmp(recorder_site(&recorder.kept[i])->array, array) == 0 && number-- == 0)
            return &recorder.kept[i];
    fail_msg("too few accesses of %s", array);
    return NULL;
}

static bool is_event(const struct trace_event *event, enum trace_event_kind kind, uint32_t block,
                     uint32_t warp)
{
    return event->kind == kind && event->block == block && event->warp == warp;
}

size_t recorder_count_events(enum trace_event_kind kind, uint32_t block, uint32_t warp)
{
    size_t count = 0;
    for (size_t i = 0; i < recorder.event_count; i++)
        count += is_event(&recorder.events[i].event, kind, block, warp);
    return count;
}

const struct recorded_event *recorder_event(enum trace_event_kind kind, uint32_t block,
                                            uint32_t warp, size_t number)
{
    for (size_t i = 0; i < recorder.event_count; i++)
        if (is_event(&recorder.events[i].event, kind, block, warp) && number-- == 0)
            return &recorder.events[i];
    fail_msg("too few events of kind %d of block %u, warp %u", (int)kind, block, warp);
    return NULL;
}

uint64_t recorder_work(void)
{
    uint64_t work = 0;
    for (size_t i = 0; i < recorder.count; i++)
        work += recorder.kept[i].work;
    for (size_t i = 0; i < recorder.event_count; i++)
        work += recorder.events[i].event.work;
    return work;
}

void recorder_assert_line(const struct recorded *access, uint64_t first, int64_t stride)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access->active >> lane & 1U)
            assert_int_equal(access->addr[lane], first + (uint64_t)stride * lane);
}

void recorder_assert_error(enum here here, const char *kernel, const char *message)
{
    char expected[512];
    snprintf(expected, sizeof expected, "%s:%u: in %s: %s", places[here].file, places[here].line,
             kernel, message);
    assert_non_null(tracer_error());
    assert_string_equal(tracer_error(), expected);
}
