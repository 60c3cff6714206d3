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

#endif
