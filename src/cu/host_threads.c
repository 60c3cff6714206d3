/* host_threads.c - a second thread of the host: its routine runs to its end where it is started, in the
 * one thread that there is. The tracer has one lane running at a time, and so what threads launch comes
 * in a fixed order. A thread that would wait for another would wait for ever: that is an error.
 *
 * The names take the place of the C library's, for the C++ library's threads too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

enum { THREADS_MAX = 1024, FIRST_ID = 1 };

static void *results[THREADS_MAX];
static unsigned started;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *argument)
{
    (void)attributes;
    if (started == THREADS_MAX)
        return EAGAIN;
    unsigned which = started++;
    *thread = FIRST_ID + which;
    results[which] = routine(argument);
    return 0;
}

int pthread_join(pthread_t thread, void **result)
{
    if (thread < FIRST_ID || thread >= FIRST_ID + started)
        return ESRCH;
    if (result)
        *result = results[thread - FIRST_ID];
    return 0;
}

int pthread_detach(pthread_t thread)
{
    return thread < FIRST_ID || thread >= FIRST_ID + started ? ESRCH : 0;
}

static _Noreturn void refuse_wait(uintptr_t pc)
{
    static const char what[] = "a host thread that waits for another cannot run under warplens, "
                               "where each runs to its end "
                               "when it is started: launch in order from one thread";
    struct lineinfo_line line = sites_line(pc);
    if (line.line)
        tracer_fail("%s:%u: %s", line.file, (unsigned)line.line, what);
    else /* the C++ library calls */
        tracer_fail("%s", what);
    exit(2);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)condition;
    (void)mutex;
    refuse_wait((uintptr_t)__builtin_return_address(0));
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    (void)barrier;
    refuse_wait((uintptr_t)__builtin_return_address(0));
}
