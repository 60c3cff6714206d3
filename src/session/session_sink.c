/* session_sink.c - what a source says while it runs: accesses -> blocks of steps -> the GPUs' threads; the rest -> run_info. */
#include <stdio.h>

#include "session/session_state.h"
#include "stream/launch_size.h"
#include "text/characters.h"
#include "text/progress.h"

enum { LAUNCHES_MANY = 10 };

/* A step of all GPUs has gone well; or else one of the runs says why not. */
static bool keep(struct session *session, bool fine)
{
    return fine || session_fail(session, NULL);
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct session *session = context;
    return run_info_note(session->info, key, value) ||
           SESSION_NO_MEMORY(session, "no memory for the trace's notes");
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct session *session = context;
    (void)number;
    return run_info_add_site(session->info, site) ||
           SESSION_NO_MEMORY(session, "no memory for the sites");
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
    if (session->info->kernel[0] == '\0' && !on_note(context, "kernel", launch->kernel))
        return false; /* a run without a name has its first kernel's */
    session->warps_per_block = launch_warps(launch);
    struct launch_info kept = *launch;
    managed_pages_free(&session->managed);
    if (!managed_pages_copy(&session->managed, launch->managed, launch->managed_count))
        return SESSION_NO_MEMORY(session, "no memory for the managed arrays");
    kept.managed = session->managed.ranges;
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_launch_begin(&session->runs[i], &kept))
            return session_fail(session, NULL);
    session->in_launch = true;
    session->launch_count++;
    snprintf(session->kernel, sizeof session->kernel, "%s", launch->kernel);
    text_make_printable(session->kernel); /* a character that is cut */
    progress_launch(session->launch_count, launch->kernel, launch_blocks(launch),
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
        SESSION_NO_MEMORY(session, "no memory for the steps of a block");
    return session->block;
}

/* Asked of the GPU that has the copy, or clusters, before anything counts it. */
static bool all_have_copies(struct session *session, const struct warp_access *access)
{
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_allows_copy(&session->runs[i], access))
            return session_fail(session, NULL);
    return true;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct session *session = context;
    if (access_is_remote(access) && !all_have_copies(session, access))
        return false;
    if (session->request->rules_only) {
        for (size_t i = 0; i < session->request->gpu_count; i++)
            if (!gpu_run_access(&session->runs[i], access))
                return session_fail(session, NULL);
        return true;
    }
    struct step_block *block = block_of(session, access->block);
    if (block)
        step_block_add_access(block, access);
    return block != NULL;
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
        step_block_add_copy_step(block, copy->warp, kind, copy->left, copy->work, 0);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct session *session = context;
    if (copy_step_begins(copy->step) && !all_have_copies(session, copy->access))
        return false;
    if (session->request->rules_only && copy_step_begins(copy->step))
        return on_access(context, copy->access);
    if (session->request->rules_only) {
        for (size_t i = 0; i < session->request->gpu_count && copy->step == PRODUCT_BEGINS; i++)
            gpu_run_product(&session->runs[i], copy);
        return true;
    }
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
        step_block_add_copy_step(block, event->warp,
                                 event->kind == TRACE_BARRIER ? STEP_BARRIER : STEP_END, 0,
                                 event->work, event->lag);
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
        return SESSION_NO_MEMORY(session, "no memory for the faults");
    return !fault->stops || !session->in_launch || drop_launch(session);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct session *session = context;
    session->in_launch = false;
    if (session->crew && !crew_wait(session->crew))
        return session_fail(session, NULL);
    session->info->traced++;
    for (size_t i = 0; i < session->request->gpu_count; i++)
        if (!gpu_run_launch_end(&session->runs[i], shared_bytes_per_block,
                                session->launch_count - 1))
            return session_fail(session, NULL);
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
            return session_fail(session, NULL);
    return true;
}

struct trace_sink session_sink(struct session *session)
{
    return (struct trace_sink){.context = session,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .copy = on_copy,
                               .fault = on_fault,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .takes_repeats = takes_repeats(session->request)};
}
