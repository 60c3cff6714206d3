/* progress.c - the clock is looked at every million accesses at most: the line costs nothing. On a
 * terminal the line is written over; elsewhere there is one line, at the end. */
#define _GNU_SOURCE
#include "stream/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "text/seconds.h"

enum { LOOK_EVERY = 1 << 18 };

void progress_start(struct progress *progress, const struct trace_sink *next, bool is_on,
                    const uint64_t *bytes, uint64_t all_bytes)
{
    *progress = (struct progress){.filter = {next},
                                  .bytes = bytes,
                                  .all_bytes = all_bytes,
                                  .is_on = is_on,
                                  .next_look = LOOK_EVERY};
    if (is_on) {
        progress->began = progress->shown = seconds_now();
        progress->is_terminal = isatty(STDERR_FILENO);
    }
}

static void put_line(struct progress *progress, double now, const char *end)
{
    char share[32] = "";
    double seconds = now - progress->began;
    if (progress->all_bytes)
        snprintf(share, sizeof share, ", %.0f %%",
                 100.0 * (double)*progress->bytes / (double)progress->all_bytes);
    fprintf(stderr, "%s%.1f million accesses, %.1f million/s, %.1f MB read%s%s%s",
            progress->has_line ? "\r" : "", 1e-6 * (double)progress->accesses,
            seconds > 0 ? 1e-6 * (double)progress->accesses / seconds : 0.0,
            1e-6 * (double)*progress->bytes, share, progress->is_terminal ? "\033[K" : "", end);
    progress->has_line = true;
    progress->shown = now;
}

static void look(struct progress *progress)
{
    double now = seconds_now();
    progress->next_look += LOOK_EVERY;
    if (progress->is_terminal && now - progress->shown > 0.5)
        put_line(progress, now, "");
}

void progress_end(struct progress *progress)
{
    double now = progress->is_on ? seconds_now() : 0;
    if (progress->is_on && now - progress->began > 1)
        put_line(progress, now, "\n");
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct progress *progress = context;
    if (++progress->accesses == progress->next_look && progress->is_on)
        look(progress);
    return sink_access(progress->filter.next, access);
}

struct trace_sink progress_sink(struct progress *progress)
{
    struct trace_sink sink = filter_sink(&progress->filter);
    sink.access = on_access;
    return sink;
}
