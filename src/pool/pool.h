/* pool.h - numbered jobs in several processes, their results in order: the tracer is one a process. */
#ifndef WARPLENS_POOL_POOL_H
#define WARPLENS_POOL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { POOL_PROCESSES_MAX = 256 };

struct pool_work {
    void *context;
    size_t count;
    /* Does a job, perhaps in a process of its own; what it writes is the job's result. */
    void (*run)(void *context, size_t job, FILE *out);
    /* Takes a result, in this process and in the jobs' order; false: no more are wanted. */
    bool (*take)(void *context, size_t job, const char *result, size_t bytes);
};

/* Does all jobs in `processes` processes (1: in this one). What `take` gets does not depend on how
 * many there are. Says how far it is (text/progress.h). Returns how many results were taken: less than all when `take` refused the next one, or when the process that
 * did that job ended too soon. */
size_t pool_run(const struct pool_work *work, size_t processes);

#endif
