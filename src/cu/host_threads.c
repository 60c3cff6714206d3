/* host_threads.c - a second host thread ends the program: the tracer has one lane running at a time,
 * and an access of another thread would be taken for that lane's.
 *
 * The name takes the place of the C library's, for the C++ library's threads too. Many programs have
 * functions that start threads, and never call them: so it is an error only when it happens.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cu/program.h"
#include "trace/engine.h"
#include "trace/lineinfo.h"

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    static const char what[] = "a second host thread cannot run under warplens: launch from one thread";
    struct lineinfo_line line = sites_line((uintptr_t)__builtin_return_address(0));
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    if (line.line)
        tracer_fail("%s:%u: %s", line.file, (unsigned)line.line, what);
    else /* the C++ library calls */
        tracer_fail("%s", what);
    exit(2);
}
