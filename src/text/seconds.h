/* seconds.h - a clock for rates and lines of progress; no output depends on it. For files that define
 * _GNU_SOURCE. */
#ifndef WARPLENS_TEXT_SECONDS_H
#define WARPLENS_TEXT_SECONDS_H

#include <time.h>

/* Seconds since some moment that stays. */
static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How long something took: the processor time of all threads of this process, and what passed meanwhile. */
struct spent {
    double cpu, wall; /* seconds */
};

static inline struct spent spent_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (struct spent){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec, seconds_now()};
}

static inline struct spent spent_since(struct spent begin)
{
    const struct spent now = spent_now();
    return (struct spent){now.cpu - begin.cpu, now.wall - begin.wall};
}

#endif
