/* start.h - runs a program that cu_build made. */
#ifndef WARPLENS_CU_START_H
#define WARPLENS_CU_START_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "confine/watch.h"
#include "cu/time_limit.h"
#include "models/arch.h"

struct cu_program {
    FILE *trace; /* what its tracer writes, to its end */
    pid_t pid;
    const struct confinement *confinement; /* NULL: not confined */
    struct confine_watch watch;            /* of its folder, when it is */
    int64_t timeout_s;                     /* 0: it may take as long as it likes */
    struct time_limit limit;               /* of its time, when there is one */
    const char *stopped;                   /* by cu_wait: what warplens ended it for, or NULL */
    char error[CONFINE_ERROR_BYTES];       /* why it could not be started */
};

/* What its trace is to have, and for how long it is waited for. */
struct cu_tracing {
    bool wants_values;    /* what lanes store (struct warp_access.values) */
    bool keeps_accesses;  /* each one of the source: none are joined */
    bool takes_repeats;   /* launches that repeat others as such (struct trace_left_out) */
    const char *launches; /* those that are wanted, as launch_choice_write has it; NULL: all */
    int64_t timeout_s;    /* by the clock; 0: as long as it takes */
};

/* Starts `path` as `name` (its argv[0]) with `arguments` (ends with NULL; may be NULL). It answers
 * questions about its GPU with `arch` and `title`. Input, output and messages are the caller's; what it
 * writes to standard output goes to standard error when `output_to_errors`.
 * `confinement`: NULL, or how it is confined; its working directory is then an empty folder of the work directory.
 * False, with a text in program->error, when it cannot be started. */
bool cu_start(struct cu_program *program, const char *path, const char *name,
              const char *const *arguments, const struct arch *arch, const char *title,
              bool output_to_errors, const struct cu_tracing *tracing,
              const struct confinement *confinement);

/* Closes the trace and waits: the exit status, 128 and more for a signal. */
int cu_wait(struct cu_program *program);

#endif
