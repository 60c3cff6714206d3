/* time_limit.h - ends a process that runs too long by the clock. */
#ifndef WARPLENS_CU_TIME_LIMIT_H
#define WARPLENS_CU_TIME_LIMIT_H

#include <stdint.h>

#include "confine/ender.h"

struct time_limit {
    struct ender ender;
    int64_t end_ms;
};

/* Begins: from now on the process has `seconds`. False with errno set. */
bool time_limit_start(struct time_limit *limit, pid_t pid, int64_t seconds);

/* When the process has ended: whether this did it. */
bool time_limit_end(struct time_limit *limit);

#endif
