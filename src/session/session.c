/* session.c - a session's beginning and end, and the source's run between them (session_sink.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/observer.h"
#include "session/session_state.h"
#include "text/characters.h"

enum { STEPS_IN_MEMORY_BYTES = 24 << 20 };

bool session_fail(struct session *session, const char *message)
{
    session->message = session->failed ? session->message : message;
    session->failed = true;
    return false;
}

static bool start(struct session *session)
{
    const struct session_request *request = session->request;
    session->info = run_info_new();
    session->runs = aligned_alloc(64, request->gpu_count * sizeof *session->runs);
    if (session->runs)
        memset(session->runs, 0, request->gpu_count * sizeof *session->runs);
    if (session->info == NULL || session->runs == NULL)
        return SESSION_NO_MEMORY(session, "no memory for the counters");
    for (size_t i = 0; i < request->gpu_count; i++) {
        session->results[i].info = session->info;
        session->info->references++;
        if (!gpu_run_start(&session->runs[i], request, i, &session->results[i]))
            return session_fail(session, NULL);
    }
    if (request->rules_only)
        return true;
    session->crew = crew_new(session->runs, request->gpu_count, request->processors != 1);
    return session->crew || SESSION_NO_MEMORY(session, "no memory for the threads");
}

static bool finish(struct session *session)
{
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        if (result->block[0] == 0 && !session->info->has_stopped)
            return session_fail(session, session->info->untraced ? "none of the launches is chosen"
                                                                 : "nothing was launched");
        result->label = session->request->label ? session->request->label : session->info->kernel;
        if (!gpu_run_finish(&session->runs[i]))
            return session_fail(session, NULL);
    }
    return true;
}

/* The message of the first GPU that has one, unless the session has its own. */
static const char *message_of(const struct session *session, char text[SESSION_MESSAGE_BYTES])
{
    const char *message = session->message;
    for (size_t i = 0; message == NULL && i < session->request->gpu_count && session->runs; i++)
        if (session->runs[i].message[0])
            message = session->runs[i].message;
    snprintf(text, SESSION_MESSAGE_BYTES, "%s", message ? message : "stopped");
    text_make_printable(text); /* a trace's names */
    return text;
}

static void stop(struct session *session)
{
    if (session->block) { /* cut short by an error */
        step_block_close(session->block);
        step_block_release(session->block);
    }
    for (size_t i = 0; session->runs && i < session->request->gpu_count; i++)
        gpu_run_free(&session->runs[i]); /* while the store is there: they hold blocks */
    step_store_free(&session->store);
    launch_select_free(&session->seen);
    managed_pages_free(&session->managed);
    free(session->runs);
    run_info_release(session->info);
    free(session);
}

struct session *session_open(const struct session_request *request, struct result *results,
                             struct trace_sink *sink, char message[SESSION_MESSAGE_BYTES])
{
    struct session *session = calloc(1, sizeof *session);
    memset(results, 0, request->gpu_count * sizeof *results);
    if (session == NULL) {
        memory_note_failure();
        snprintf(message, SESSION_MESSAGE_BYTES, "no memory for a session");
        return NULL;
    }
    session->request = request;
    session->results = results;
    *sink = session_sink(session);
    step_store_init(&session->store, STEPS_IN_MEMORY_BYTES);
    if (start(session))
        return session;
    session_close(session, NULL, message);
    return NULL;
}

const char *session_close(struct session *session, const char *error,
                          char message[SESSION_MESSAGE_BYTES])
{
    if (session->crew &&
        !crew_wait(session->crew)) /* also when the source failed in the meantime */
        session_fail(session, NULL);
    crew_free(session->crew);
    if (!session->failed && error == NULL)
        finish(session);
    if (session->failed)
        error = message_of(session, message);
    if (error)
        results_free(session->results, session->request->gpu_count);
    stop(session);
    return error;
}

/* The source's run, with an observer in front of the session. */
static const char *run_observed(struct session *session, const struct trace_sink *sink)
{
    const struct session_request *request = session->request;
    const struct arch *arches[SESSION_GPUS_MAX];
    struct observer observer;
    const char *error = NULL;
    for (size_t i = 0; i < request->gpu_count; i++)
        arches[i] = &request->gpus[i].arch;
    if (observer_start(&observer, arches, request->gpu_count,
                       (const struct trace_site *const *)&session->info->sites, 0)) {
        const struct trace_sink in_front = observer_sink(&observer, sink);
        error = request->source.run(request->source.context, &in_front);
        if (error == NULL && !session->failed)
            session->info->observed = observer_finish(&observer);
    }
    observer_free(&observer);
    if (error == NULL && !session->failed && session->info->observed == NULL)
        SESSION_NO_MEMORY(session, "no memory for what is observed");
    return error;
}

const char *session_run(const struct session_request *request, struct result *results)
{
    static _Thread_local char message[SESSION_MESSAGE_BYTES];
    struct trace_sink sink;
    struct session *session = session_open(request, results, &sink, message);
    if (session == NULL)
        return message;
    return session_close(session,
                         request->observes ? run_observed(session, &sink)
                                           : request->source.run(request->source.context, &sink),
                         message);
}
