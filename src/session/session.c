/* session.c - a source's accesses -> blocks of steps -> the GPUs' threads; what the source says
 * besides -> run_info. */
#include "session/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/observer.h"
#include "session/crew.h"
#include "stream/managed_pages.h"
#include "stream/select.h"
#include "text/characters.h"
#include "text/memory.h"
#include "text/progress.h"

enum { STEPS_IN_MEMORY_BYTES = 24 << 20, LAUNCHES_MANY = 10 };

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

static bool fail(struct session *session, const char *message)
{
    session->message = session->failed ? session->message : message;
    session->failed = true;
    return false;
}

/* Who goes on after a run that failed, as advice does, learns that this one may not be left out. */
#define NO_MEMORY(session, ...) (memory_note_failure(), fail(session, __VA_ARGS__))

/* A step of all GPUs has gone well; or else one of the runs says why not. */
static bool keep(struct session *session, bool fine)
{
    return fine || fail(session, NULL);
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct session *session = context;
    return run_info_note(session->info, key, value) ||
           NO_MEMORY(session, "no memory for the trace's notes");
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct session *session = context;
    (void)number;
    return run_info_add_site(session->info, site) || NO_MEMORY(session, "no memory for the sites");
}

static uint64_t blocks_of(const struct launch_info *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* At a terminal a run that does the same many times is told that it need not. */
static void suggest_fewer(struct session *session, const struct launch_info *launch)
{
    const bool is_chosen = session->info->choice[0] != '\0';
    if (!is_chosen && launch_select_count(&session->seen, launch) == LAUNCHES_MANY + 1)
        progress_hint("fewer launches: --launches-per-kernel 2");
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct session *session = context;
    const uint32_t *b = launch->block;
    if (session->info->kernel[0] == '\0' && !on_note(context, "kernel", launch->kernel))
        return false; /* a run without a name has its first kernel's */
    session->warps_per_block = (b[0] * b[1] * b[2] + WARP_LANES - 1) / WARP_LANES;
    struct launch_info kept = *launch;
    managed_pages_free(&session->managed);
    if (!managed_pages_copy(&session->managed, launch->managed, launch->managed_count))
        return NO_MEMORY(session, "no memory for the managed arrays");
    kept.managed = session->managed.ranges;
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_launch_begin(&session->runs[i], &kept))
            return fail(session, NULL);
    session->in_launch = true;
    session->launch_count++;
    snprintf(session->kernel, sizeof session->kernel, "%s", launch->kernel);
    text_make_printable(session->kernel); /* a character that is cut */
    progress_launch(session->launch_count, launch->kernel, blocks_of(launch),
                    session->request->gpu_count);
    suggest_fewer(session, launch);
    return true;
}

/* The block that the source is in; NULL when memory is short. */
static struct step_block *block_of(struct session *session, uint32_t block)
{
    if (session->block == NULL)
        session->block = step_block_new(&session->store, block, session->warps_per_block);
    if (session->block == NULL)
        NO_MEMORY(session, "no memory for the steps of a block");
    return session->block;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct session *session = context;
    if (session->request->rules_only) {
        for (size_t i = 0; i < session->request->gpu_count; i++)
            if (!gpu_run_access(&session->runs[i], access))
                return fail(session, NULL);
        return true;
    }
    struct step_block *block = block_of(session, access->block);
    if (block)
        step_block_add_access(block, access);
    return block != NULL;
}

/* Asked of the GPU that has the copy before anything counts it. */
static bool all_have_copies(struct session *session, const struct warp_access *access)
{
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_allows_copy(&session->runs[i], access))
            return fail(session, NULL);
    return true;
}

/* A wait for what bulk copies read is over when they are written: the model has one time for both. */
static const enum step_kind copy_steps[COPY_STEPS] = {
    [COPY_COMMIT] = STEP_COPY_COMMIT,       [COPY_WAIT] = STEP_COPY_WAIT,
    [BULK_COMMIT] = STEP_BULK_COMMIT,       [BULK_WAIT] = STEP_BULK_WAIT,
    [BULK_WAIT_READ] = STEP_BULK_WAIT,      [PHASE_ARRIVE] = STEP_PHASE_ARRIVE,
    [PHASE_WAIT] = STEP_PHASE_WAIT,         [PRODUCT_BEGINS] = STEP_PRODUCT,
    [PRODUCT_COMMIT] = STEP_PRODUCT_COMMIT, [PRODUCT_WAIT] = STEP_PRODUCT_WAIT,
};

static void add_copy_step(struct step_block *block, const struct trace_copy *copy)
{
    const enum step_kind kind = copy_steps[copy->step];
    if (copy_step_begins(copy->step))
        step_block_add_copy(block, copy->access);
    else if (kind == STEP_PHASE_ARRIVE || kind == STEP_PHASE_WAIT)
        step_block_add_phase(
            block, copy->warp, kind,
            &(struct step_phase){copy->barrier, copy->phase, copy->needs, copy->bytes}, copy->work);
    else
        step_block_add_copy_step(block, copy->warp, kind, copy->left, copy->work);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct session *session = context;
    if (copy_step_begins(copy->step) && !all_have_copies(session, copy->access))
        return false;
    if (session->request->rules_only)
        return !copy_step_begins(copy->step) || on_access(context, copy->access);
    struct step_block *block = block_of(session, copy->block);
    if (block)
        add_copy_step(block, copy);
    return block != NULL;
}

static bool block_ends(struct session *session, const struct trace_event *event)
{
    struct step_block *block = block_of(session, event->block);
    if (block == NULL)
        return false;
    step_block_close(block);
    session->block = NULL;
    return keep(session, crew_run_block(session->crew, block, session->info->site_count,
                                        event->shared_bytes));
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct session *session = context;
    const bool ends_block = event->kind == TRACE_BLOCK_END;
    if (session->request->rules_only) {
        if (ends_block)
            progress_block_done(session->request->gpu_count);
        return true;
    }
    if (ends_block)
        return block_ends(session, event);
    struct step_block *block = block_of(session, event->block);
    if (block)
        step_block_add(block, event->warp, event->kind == TRACE_BARRIER ? STEP_BARRIER : STEP_END,
                       event->work);
    return block != NULL;
}

/* Drops what the running launch has counted: it will not end. */
static bool drop_launch(struct session *session)
{
    bool fine = session->crew == NULL || crew_wait(session->crew);
    if (session->block) {
        step_block_close(session->block);
        step_block_release(session->block);
        session->block = NULL;
    }
    for (size_t i = 0; i < session->request->gpu_count && fine; i++)
        fine = gpu_run_launch_drop(&session->runs[i]);
    session->in_launch = false;
    return keep(session, fine);
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct session *session = context;
    const char *kernel = session->in_launch ? session->kernel : "";
    if (!run_info_add_fault(session->info, kernel, fault))
        return NO_MEMORY(session, "no memory for the faults");
    return !fault->stops || !session->in_launch || drop_launch(session);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct session *session = context;
    session->in_launch = false;
    if (session->crew && !crew_wait(session->crew))
        return fail(session, NULL);
    session->info->traced++;
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_launch_end(&session->runs[i], shared_bytes_per_block,
                                session->launch_count - 1))
            return fail(session, NULL);
    return true;
}

/* What is kept of single blocks and accesses is of those that have steps. */
static bool takes_repeats(const struct session_request *request)
{
    return !request->observes && !request->keeps_sites && request->block_count == 0 &&
           !request->timeline;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct session *session = context;
    const uint64_t number = session->launch_count++;
    const bool repeats = launch->repeats && takes_repeats(session->request);
    *(repeats ? &session->info->repeated : &session->info->untraced) += 1;
    for (size_t i = 0; repeats && i < session->request->gpu_count; i++)
        if (!gpu_run_launch_repeats(&session->runs[i], number - launch->repeats))
            return fail(session, NULL);
    return true;
}

static bool start(struct session *session)
{
    const struct session_request *request = session->request;
    session->info = run_info_new();
    session->runs = aligned_alloc(64, request->gpu_count * sizeof *session->runs);
    if (session->runs)
        memset(session->runs, 0, request->gpu_count * sizeof *session->runs);
    if (session->info == NULL || session->runs == NULL)
        return NO_MEMORY(session, "no memory for the counters");
    for (size_t i = 0; i < request->gpu_count; i++) {
        session->results[i].info = session->info;
        session->info->references++;
        if (!gpu_run_start(&session->runs[i], request, i, &session->results[i]))
            return fail(session, NULL);
    }
    if (request->rules_only)
        return true;
    session->crew = crew_new(session->runs, request->gpu_count, request->processors != 1);
    return session->crew || NO_MEMORY(session, "no memory for the threads");
}

static bool finish(struct session *session)
{
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        if (result->block[0] == 0 && !session->info->has_stopped)
            return fail(session, session->info->untraced ? "none of the launches is chosen"
                                                         : "nothing was launched");
        result->label = session->request->label ? session->request->label : session->info->kernel;
        if (!gpu_run_finish(&session->runs[i]))
            return fail(session, NULL);
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
    *sink = (struct trace_sink){.context = session,
                                .note = on_note,
                                .site = on_site,
                                .launch_begin = on_launch_begin,
                                .access = on_access,
                                .event = on_event,
                                .copy = on_copy,
                                .fault = on_fault,
                                .launch_end = on_launch_end,
                                .launch_left_out = on_launch_left_out,
                                .takes_repeats = takes_repeats(request)};
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
        fail(session, NULL);
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
        NO_MEMORY(session, "no memory for what is observed");
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
