/* push.c - launches and steps as they are pushed -> guard -> session. What the caller leaves out is put
 * in: notes before the first launch, sites before their first access, the ends of warps and blocks. */
#include "library/push.h"

#include <string.h>

#include "stream/launch_size.h"

static bool push_start(struct warplens_run *run)
{
    char message[SESSION_MESSAGE_BYTES];
    if (!library_begin(run))
        return false;
    struct library_push *push = calloc(1, sizeof *push);
    if (push == NULL)
        return library_end(run, "no memory for pushed accesses");
    push->session = session_open(&run->request, run->results, &push->to_session, message);
    if (push->session == NULL) {
        free(push);
        return library_end(run, message);
    }
    guard_start(&push->guard, &push->to_session);
    push->sink = guard_sink(&push->guard);
    run->push = push;
    run->stage = LIBRARY_TAKING;
    return true;
}

void library_push_free(struct warplens_run *run)
{
    char message[SESSION_MESSAGE_BYTES];
    struct library_push *push = run->push;
    if (push == NULL)
        return;
    if (push->session)
        session_close(push->session, "given up", message);
    guard_free(&push->guard);
    sites_free(&push->sites);
    push_launch_free(&push->launch);
    free(push);
    run->push = NULL;
}

struct library_push *library_push_of(struct warplens_run *run, const char *what)
{
    if (!library_is_in(run, LIBRARY_TAKING, what))
        return NULL;
    if (run->push->in_launch)
        return run->push;
    library_fail(run, "a run cannot %s outside of a launch: warplens_launch_begin comes first",
                 what);
    library_push_fail(run);
    return NULL;
}

/* Closes the session and ends the run with its results, or with what was wrong. */
static bool push_end(struct warplens_run *run, const char *error)
{
    char message[SESSION_MESSAGE_BYTES];
    struct library_push *push = run->push;
    error = session_close(push->session, error, message);
    push->session = NULL;
    bool fine = library_end(run, error);
    library_push_free(run);
    return fine;
}

bool library_push_fail(struct warplens_run *run)
{
    char reason[LIBRARY_MESSAGE_BYTES];
    memcpy(reason, run->message, sizeof reason);
    return push_end(run, reason);
}

bool library_push_keep(struct warplens_run *run, bool taken)
{
    const char *wrong = run->push->guard.message;
    return taken || push_end(run, wrong[0] ? wrong : NULL);
}

/* ---- Ends ---------------------------------------------------------------------------------------- */

static bool end_warp(struct library_push *push, uint32_t warp)
{
    const struct trace_event event = {
        .kind = TRACE_WARP_END, .block = push->block, .warp = warp, .work = 1};
    push->ended |= 1U << warp;
    return sink_event(&push->sink, &event);
}

/* The block ends, and before it those of its warps that have not. */
static bool end_block(struct library_push *push)
{
    const struct trace_event event = {.kind = TRACE_BLOCK_END,
                                      .block = push->block,
                                      .shared_bytes = push->launch.info.dynamic_shared_bytes};
    if (!push->in_block)
        return true;
    for (uint32_t warp = 0; warp < push->launch.warp_count; warp++)
        if (!(push->ended >> warp & 1) && !end_warp(push, warp))
            return false;
    push->in_block = false;
    return sink_event(&push->sink, &event);
}

bool library_push_enter(struct warplens_run *run, uint32_t block)
{
    struct library_push *push = run->push;
    if (push->in_block && push->block == block)
        return true;
    if (!library_push_keep(run, end_block(push)))
        return false;
    push->in_block = true;
    push->block = block;
    push->ended = 0;
    return true;
}

/* ---- Launches ------------------------------------------------------------------------------------ */

static bool begin_launch(struct library_push *push)
{
    struct push_launch *launch = &push->launch;
    if (!push->has_notes && !(sink_note(&push->sink, "kernel", launch->kernel) &&
                              sink_note(&push->sink, "compiler", "the library's caller")))
        return false;
    push->has_notes = true;
    push->in_launch = true;
    if (!sink_launch_begin(&push->sink, &launch->info))
        return false;
    launch->warp_count = launch_warps(&launch->info);
    return true;
}

bool warplens_launch_begin(struct warplens_run *run, const struct warplens_launch *launch)
{
    if (run && run->stage == LIBRARY_SETTING_UP && !push_start(run))
        return false;
    if (!library_is_in(run, LIBRARY_TAKING, "begin a launch"))
        return false;
    struct library_push *push = run->push;
    if (push->in_launch) {
        library_fail(run,
                     "launch of %.64s: that of %.64s has not ended: warplens_launch_end "
                     "comes first",
                     launch && launch->kernel ? launch->kernel : "?", push->launch.kernel);
        return library_push_fail(run);
    }
    return push_launch_start(&push->launch, run, launch)
               ? library_push_keep(run, begin_launch(push))
               : library_push_fail(run);
}

bool warplens_launch_end(struct warplens_run *run)
{
    struct library_push *push = library_push_of(run, "end a launch");
    if (push == NULL)
        return false;
    bool taken =
        end_block(push) && sink_launch_end(&push->sink, push->launch.info.dynamic_shared_bytes);
    if (!library_push_keep(run, taken))
        return false;
    push->in_launch = false;
    push_launch_free(&push->launch);
    return true;
}

bool warplens_finish(struct warplens_run *run)
{
    if (run && run->stage == LIBRARY_SETTING_UP)
        return library_fail(run, "nothing was launched: warplens_launch_begin comes first");
    if (!library_is_in(run, LIBRARY_TAKING, "finish"))
        return false;
    if (!run->push->in_launch)
        return push_end(run, NULL);
    library_fail(run, "the launch of %.64s has not ended: warplens_launch_end comes first",
                 run->push->launch.kernel);
    return library_push_fail(run);
}

/* ---- Barriers and ends of warps ------------------------------------------------------------------ */

static bool add_event(struct library_push *push, enum trace_event_kind kind, uint32_t block,
                      uint32_t warp)
{
    const struct trace_event event = {.kind = kind, .block = block, .warp = warp, .work = 1};
    return sink_event(&push->sink, &event);
}

bool warplens_add_barrier(struct warplens_run *run, uint32_t block, uint32_t warp)
{
    struct library_push *push = library_push_of(run, "wait at a barrier");
    bool taken = true;
    if (push == NULL || !library_push_enter(run, block))
        return false;
    if (warp != WARPLENS_ALL_WARPS)
        return library_push_keep(run, add_event(push, TRACE_BARRIER, block, warp));
    for (uint32_t w = 0; w < push->launch.warp_count && taken; w++)
        if (!(push->ended >> w & 1))
            taken = add_event(push, TRACE_BARRIER, block, w);
    return library_push_keep(run, taken);
}

bool warplens_end_warp(struct warplens_run *run, uint32_t block, uint32_t warp)
{
    struct library_push *push = library_push_of(run, "end a warp");
    if (push == NULL || !library_push_enter(run, block) ||
        !library_push_keep(run, add_event(push, TRACE_WARP_END, block, warp)))
        return false;
    push->ended |= 1U << warp;
    return true;
}
