/* session_state.h - a session while its source runs. */
#ifndef WARPLENS_SESSION_SESSION_STATE_H
#define WARPLENS_SESSION_SESSION_STATE_H

#include "session/crew.h"
#include "session/session.h"
#include "stream/managed_pages.h"
#include "stream/select.h"
#include "text/memory.h"

struct session {
    const struct session_request *request;
    struct result *results;
    struct run_info *info;
    struct gpu_run *runs; /* one a GPU */
    struct crew *crew;    /* NULL: rules only */
    struct step_store store;
    struct step_block *block; /* being filled */
    uint32_t warps_per_block;
    struct managed_pages
        managed; /* of the launch: crews may read them when a failed source is gone */
    bool failed; /* `message` says why, unless one of the runs' does */
    bool in_launch;
    uint64_t launch_count;            /* with those that have no steps */
    struct launch_select seen;        /* launches that have, of each kernel and shape */
    char kernel[RESULT_KERNEL_BYTES]; /* of the latest launch */
    const char *message;
};

/* Keeps the first message (NULL: one of the runs has it); false. */
bool session_fail(struct session *session, const char *message);

/* Who goes on after a run that failed, as advice does, learns that this one may not be left out. */
#define SESSION_NO_MEMORY(session, message) (memory_note_failure(), session_fail(session, message))

/* What takes the source's events. */
struct trace_sink session_sink(struct session *session);

#endif
