/* tried.c - the line, and the clock: an output never depends on it. */
#define _GNU_SOURCE
#include "advise/tried.h"

#include <stdio.h>
#include <unistd.h>

#include "text/seconds.h"

void tried_start(struct tried *tried, bool is_on)
{
    *tried = (struct tried){.is_on = is_on && isatty(STDERR_FILENO)};
    tried->began = tried->is_on ? seconds_now() : 0;
}

void tried_show(struct tried *tried, const char *gpu, size_t done, size_t all, const char *how)
{
    const double now = tried->is_on ? seconds_now() : 0;
    if (!tried->is_on || now - tried->began < 1 || now - tried->shown < 0.2)
        return;
    fprintf(stderr, "\r%s: tried %zu of %zu changes %s\033[K", gpu, done, all, how);
    tried->has_line = true;
    tried->shown = now;
}

void tried_end(struct tried *tried)
{
    if (tried->has_line)
        fprintf(stderr, "\r\033[K");
    tried->has_line = false;
}
