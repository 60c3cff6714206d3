/* time_limit.h - ends a process that runs too long by the clock. */
#ifndef WARPLENS_CU_TIME_LIMIT_H
#define WARPLENS_CU_TIME_LIMIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct time_limit {
    pthread_t thread;
    int process; /* a descriptor of it */
    int64_t end_ms;
    atomic_bool has_ended_it;
};

/* Begins: from now on the process has `seconds`. False with errno set. */
bool time_limit_start(struct time_limit *limit, pid_t pid, int64_t seconds);

/* When the process has ended: whether this did it. */
bool time_limit_end(struct time_limit *limit);

#endif
