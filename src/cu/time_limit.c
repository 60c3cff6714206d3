/* time_limit.c - a thread that waits for the end of the process, or of its time. By SIGKILL, which no program
 * catches: launches that are complete have been handed on by then (write_launch_end of program.c). */
#define _GNU_SOURCE
#include "cu/time_limit.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "confine/numbers.h"

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *watch(void *context)
{
    struct time_limit *limit = context;
    struct pollfd ended = {.fd = limit->process, .events = POLLIN};
    int64_t left_ms;
    while ((left_ms = limit->end_ms - now_ms()) > 0)
        if (poll(&ended, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX) > 0)
            return NULL;
    atomic_store(&limit->has_ended_it,
                 syscall(NR_pidfd_send_signal, limit->process, SIGKILL, NULL, 0) == 0);
    return NULL;
}

bool time_limit_start(struct time_limit *limit, pid_t pid, int64_t seconds)
{
    sigset_t all, before;
    limit->end_ms = now_ms() + seconds * 1000;
    limit->process = (int)syscall(NR_pidfd_open, pid, 0);
    atomic_init(&limit->has_ended_it, false);
    if (limit->process < 0)
        return false;
    sigfillset(&all); /* signals are the other threads' */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&limit->thread, NULL, watch, limit);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        close(limit->process);
    errno = error;
    return error == 0;
}

bool time_limit_end(struct time_limit *limit)
{
    pthread_join(limit->thread, NULL);
    close(limit->process);
    return atomic_load(&limit->has_ended_it);
}
