/* ender.c - a process is known by a descriptor: its number may be another's once it has ended. */
#define _GNU_SOURCE
#include "confine/ender.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "confine/numbers.h"

bool ender_start(struct ender *ender, pid_t pid, void *(*look)(void *), void *context)
{
    sigset_t all, before;
    ender->process = (int)syscall(NR_pidfd_open, pid, 0);
    atomic_init(&ender->has_ended_it, false);
    if (ender->process < 0)
        return false;
    sigfillset(&all); /* signals are the other threads' */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&ender->thread, NULL, look, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        close(ender->process);
    errno = error;
    return error == 0;
}

bool ender_sees_end(const struct ender *ender, int ms)
{
    struct pollfd ended = {.fd = ender->process, .events = POLLIN};
    return poll(&ended, 1, ms) > 0;
}

void ender_kill(struct ender *ender)
{
    atomic_store(&ender->has_ended_it,
                 syscall(NR_pidfd_send_signal, ender->process, SIGKILL, NULL, 0) == 0);
}

bool ender_end(struct ender *ender)
{
    pthread_join(ender->thread, NULL);
    close(ender->process);
    return atomic_load(&ender->has_ended_it);
}
