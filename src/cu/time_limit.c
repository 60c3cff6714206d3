/* time_limit.c - a thread that waits for the end of the process, or of its time. Launches that are complete have been
 * handed on by then (write_launch_end of program.c). */
#define _GNU_SOURCE
#include "cu/time_limit.h"

#include <limits.h>
#include <time.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *watch(void *context)
{
    struct time_limit *limit = context;
    int64_t left_ms;
    while ((left_ms = limit->end_ms - now_ms()) > 0)
        if (ender_sees_end(&limit->ender, left_ms < INT_MAX ? (int)left_ms : INT_MAX))
            return NULL;
    ender_kill(&limit->ender);
    return NULL;
}

bool time_limit_start(struct time_limit *limit, pid_t pid, int64_t seconds)
{
    limit->end_ms = now_ms() + seconds * 1000;
    return ender_start(&limit->ender, pid, watch, limit);
}

bool time_limit_end(struct time_limit *limit)
{
    return ender_end(&limit->ender);
}
