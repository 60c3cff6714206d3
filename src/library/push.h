/* push.h - a run that takes accesses one by one. */
#ifndef WARPLENS_LIBRARY_PUSH_H
#define WARPLENS_LIBRARY_PUSH_H

#include "library/library.h"
#include "library/push_launch.h"
#include "library/sites.h"
#include "stream/guard.h"

struct library_push {
    struct session *session; /* NULL: it has ended */
    struct trace_sink to_session, sink;
    struct guard guard; /* sink -> guard -> to_session */
    struct sites sites;
    struct push_launch launch;
    bool has_notes, in_launch, in_block;
    uint32_t block, ended; /* of the block: warps, by bit */
};

/* The run's push, or NULL when it takes no accesses; *run fails unless there is one. */
struct library_push *library_push_of(struct warplens_run *run, const char *what);

/* What is pushed is wrong (`library_fail` has kept why), or was refused by the sink: the run fails. */
bool library_push_fail(struct warplens_run *run);
bool library_push_keep(struct warplens_run *run, bool taken);

/* The next step is of this block: the one before ends. */
bool library_push_enter(struct warplens_run *run, uint32_t block);

#endif
