/* join.c - a run's site n is site first_site + n of the whole. */
#include "trace_io/join.h"

#include <string.h>

void join_start(struct join *join, const struct trace_sink *next)
{
    *join = (struct join){.filter = {next}};
}

void join_next(struct join *join)
{
    join->runs++;
    join->first_site = join->site_count;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct join *join = context;
    const bool is_first = join->runs <= 1;
    if (!is_first && strncmp(key, NOTE_LIBRARY, strlen(NOTE_LIBRARY)) != 0)
        return true;
    return sink_note(join->filter.next, key, value);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct join *join = context;
    join->site_count = join->first_site + number + 1;
    return sink_site(join->filter.next, join->first_site + number, site);
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct join *join = context;
    struct warp_access renumbered = *access;
    renumbered.site += join->first_site;
    return sink_access(join->filter.next, &renumbered);
}

struct trace_sink join_sink(struct join *join)
{
    struct trace_sink sink = filter_sink(&join->filter);
    sink.note = on_note;
    sink.site = on_site;
    sink.access = on_access;
    return sink;
}
