/* workers.h - runs of the model in several processes. */
#ifndef WARPLENS_VALIDATE_WORKERS_H
#define WARPLENS_VALIDATE_WORKERS_H

#include "gallery.h"
#include "session/session.h"

struct model_run;

/* Makes sources of programs and traces, one after another. */
struct run_opener {
    void *context;
    /* False after messages on standard error. */
    bool (*open)(void *context, const struct model_run *run, struct trace_source *source);
    /* The same: it has failed at its end. */
    bool (*close)(void *context);
};

struct model_run {
    const struct gallery_kernel *kernel; /* NULL: a program or a trace, which the opener opens */
    struct gallery_args args;
    const char *name, *arguments; /* of a program: as it is named; between blanks */
    const char *with; /* of a file's program: further source files beside it, between blanks */
    uint64_t launches_wanted; /* of a file's program: the others behind them need not be traced */
    char *path;               /* owned; of a program; NULL: there is none, and `error` says so */
    const struct run_opener *opener;
    const struct session_gpu *gpu;
    bool rules_only, cold_launches;
    bool is_of_file; /* a file of measurements names the program */
    /* What workers_run fills in: */
    bool done;
    bool is_bug;                    /* the error is one of warplens */
    bool has_failed;                /* what was complete before is in `launches` */
    bool has_other_launches;        /* than the file says; for the comparison */
    char *error;                    /* owned; NULL: fine */
    struct result_launch *launches; /* owned */
    size_t launch_count;
};

/* Runs all of them, in `processes` processes (1: in this one). What they give does not depend on how
 * many there are. Says on a terminal's standard error how far it is when it takes long. */
void workers_run(struct model_run *runs, size_t count, size_t processes);
void workers_free(struct model_run *runs, size_t count);

#endif
