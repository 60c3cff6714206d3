/* join.c - a run's site n is site first_site + n of the whole. */
#include "trace_io/join.h"

void join_start(struct join *join, const struct trace_sink *next)
{
    *join = (struct join){.next = next};
}

void join_next(struct join *join)
{
    join->runs++;
    join->first_site = join->site_count;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct join *join = context;
    return join->runs > 1 || sink_note(join->next, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct join *join = context;
    join->site_count = join->first_site + number + 1;
    return sink_site(join->next, join->first_site + number, site);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct join *join = context;
    return sink_launch_begin(join->next, launch);
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct join *join = context;
    struct warp_access renumbered = *access;
    renumbered.site += join->first_site;
    return sink_access(join->next, &renumbered);
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct join *join = context;
    return sink_event(join->next, event);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct join *join = context;
    return sink_launch_end(join->next, shared_bytes_per_block);
}

struct trace_sink join_sink(struct join *join)
{
    return (struct trace_sink){.context = join,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .launch_end = on_launch_end};
}
