/* measure.h - changes one behind the other, replayed: into any sink, or judged under a GPU. */
#ifndef WARPLENS_ADVISE_MEASURE_H
#define WARPLENS_ADVISE_MEASURE_H

#include "advise/change.h"
#include "session/session.h"

enum { PLAN_CHANGES_MAX = 4 };

/* Changes in the order in which they are made. Each one is of the run that the one before has left. */
struct plan {
    const struct change *changes[PLAN_CHANGES_MAX];
    const struct observed *observed[PLAN_CHANGES_MAX];
    size_t count;
};

struct measure {
    struct spool *spool;
    const struct session_gpu *gpu;
    int64_t registers_per_thread; /* 0: unknown */
    bool cold_launches;           /* as in struct session_request */
};

/* Gives the changed run to the sink. False when something fails (spool->message) or the sink wants no
 * more. */
bool plan_replay(const struct plan *plan, struct spool *spool, const struct trace_sink *sink);

/* What the changed run looks like; false without memory or when the spool fails. observed_free is due
 * when it is true. */
bool plan_observe(const struct plan *plan, struct spool *spool, struct observed *observed);

/* Judges the changed run under the GPU. NULL, and session_free is due; or what went wrong, valid until
 * the thread's next session. */
const char *measure_run(const struct measure *m, const struct plan *plan, bool rules_only,
                        struct result *result);

#endif
