/* ender.h - a thread that looks after a process of ours and may end it: by SIGKILL, which no program catches. */
#ifndef WARPLENS_CONFINE_ENDER_H
#define WARPLENS_CONFINE_ENDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct ender {
    pthread_t thread;
    int process; /* a descriptor of it */
    atomic_bool has_ended_it;
};

/* Begins a thread that runs `look`, which returns when the process has ended. False with errno set. */
bool ender_start(struct ender *ender, pid_t pid, void *(*look)(void *), void *context);

/* For `look`: waits for so long. Whether the process has ended by then. */
bool ender_sees_end(const struct ender *ender, int ms);
void ender_kill(struct ender *ender);

/* When the process has ended: whether this did it. */
bool ender_end(struct ender *ender);

#endif
