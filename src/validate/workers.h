/* workers.h - runs of the model in several processes. */
#ifndef WARPLENS_VALIDATE_WORKERS_H
#define WARPLENS_VALIDATE_WORKERS_H

#include "gallery.h"
#include "session/session.h"

struct model_run {
    const struct gallery_kernel *kernel;
    struct gallery_args args;
    const struct session_gpu *gpu;
    bool rules_only, cold_launches;
    /* What workers_run fills in: */
    bool done;
    bool is_bug;                    /* the error is one of warplens */
    char *error;                    /* owned; NULL: fine */
    struct result_launch *launches; /* owned */
    size_t launch_count;
};

/* Runs all of them, in `processes` processes (1: in this one). What they give does not depend on how
 * many there are. Says on a terminal's standard error how far it is when it takes long. */
void workers_run(struct model_run *runs, size_t count, size_t processes);
void workers_free(struct model_run *runs, size_t count);

#endif
