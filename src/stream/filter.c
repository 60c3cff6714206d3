/* filter.c - the ways on. */
#include "stream/filter.h"

static bool on_note(void *context, const char *key, const char *value)
{
    struct trace_filter *filter = context;
    return sink_note(filter->next, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct trace_filter *filter = context;
    return sink_site(filter->next, number, site);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct trace_filter *filter = context;
    return sink_launch_begin(filter->next, launch);
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct trace_filter *filter = context;
    return sink_access(filter->next, access);
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct trace_filter *filter = context;
    return sink_event(filter->next, event);
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct trace_filter *filter = context;
    return sink_fault(filter->next, fault);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct trace_filter *filter = context;
    return sink_sync(filter->next, sync);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct trace_filter *filter = context;
    return sink_copy(filter->next, copy);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct trace_filter *filter = context;
    return sink_launch_end(filter->next, shared_bytes_per_block);
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct trace_filter *filter = context;
    return sink_launch_left_out(filter->next, launch);
}

struct trace_sink filter_sink(struct trace_filter *filter)
{
    return (struct trace_sink){.context = filter,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .fault = on_fault,
                               .sync = on_sync,
                               .copy = on_copy,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .wants_values = filter->next && filter->next->wants_values,
                               .takes_repeats = filter->next && filter->next->takes_repeats};
}
