/* order.c - see order.h. Decisions: an atomic or volatile load takes over what is released at its word at
 * once, without a fence of its own, as programs rely on (threadFenceReduction of CUDA's samples has none); a
 * release needs a fence of its thread, or of each thread before a barrier. */
#include "check/order.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"

enum { PHASES_MAX = 1 << 23 };

void order_launch(struct order *o, const struct launch_info *launch)
{
    o->threads = launch->block[0] * launch->block[1] * launch->block[2];
    o->warps = (o->threads + WARP_LANES - 1) / WARP_LANES;
    o->launch_start = ++o->now;
    o->has_fences = false;
    o->has_phases = false;
    o->phase_count = 0;
    releases_clear(&o->releases);
}

void order_free(struct order *o)
{
    free(o->phases);
    releases_free(&o->releases);
}

static void interval_begins(struct order *o)
{
    o->interval_start = ++o->now;
    o->waiting = 0;
}

/* Those of blocks in front of the first that comes to a barrier of the grid are 0, and are not kept. */
static void phase_begins(struct order *o, uint32_t number)
{
    o->phase = number;
    o->is_grid_barrier = false;
    if (!o->has_phases)
        return;
    if (o->phase_count == PHASES_MAX)
        o->releases.is_full = true;
    else if (LIST_MAKE_ROOM(o->phases, o->phase_count, o->phase_room))
        o->phases[o->phase_count++] = (struct grid_phase){o->now, number};
    else
        o->no_memory = true;
}

void order_block(struct order *o)
{
    o->live = o->warps == 32 ? UINT32_MAX : (1U << o->warps) - 1;
    interval_begins(o);
    o->block_start = o->interval_start;
    phase_begins(o, 0);
    o->out_of_step = o->has_known = o->has_fences_now = o->has_fences_before = false;
    o->snapshot = o->block_known = 0;
}

/* What its threads have learnt and fenced holds for all of the block behind a barrier. */
static void pass_barrier(struct order *o)
{
    for (uint32_t t = 0; o->has_known && t < o->threads; t++)
        if (o->known_at[t] >= o->interval_start)
            o->block_known = releases_join(&o->releases, o->block_known, o->known[t], o->now);
    if (o->has_fences_now) {
        memcpy(o->fence_before, o->fence, sizeof o->fence);
        o->has_fences_before = true;
        o->snapshot = 0;
    }
    o->has_known = o->has_fences_now = false;
    interval_begins(o);
    if (o->is_grid_barrier)
        phase_begins(o, o->phase + 1);
}

void order_grid(struct order *o)
{
    o->is_grid_barrier = o->has_phases = true;
}

bool order_has_grid_between(const struct order *o, uint32_t time)
{
    size_t low = 0, high = o->phase_count; /* the first that is later */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (o->phases[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return o->has_phases && (low ? o->phases[low - 1].number : 0) != o->phase;
}

void order_event(struct order *o, const struct trace_event *event)
{
    uint32_t bit = 1U << event->warp;
    if (event->kind == TRACE_BLOCK_END)
        return;
    if (event->kind == TRACE_WARP_END) {
        o->live &= ~bit;
    } else {
        o->out_of_step |= (o->waiting & bit) != 0;
        o->waiting |= bit;
    }
    if (o->waiting && (o->live & ~o->waiting) == 0)
        pass_barrier(o);
}

/* ---- In a warp -------------------------------------------------------------------------------- */

static uint32_t known_of(const struct order *o, uint32_t thread)
{
    return o->known_at[thread] >= o->interval_start ? o->known[thread] : o->block_known;
}

static void learn(struct order *o, uint32_t thread, uint32_t release)
{
    uint32_t known = releases_join(&o->releases, known_of(o, thread), release, o->now);
    if (known == known_of(o, thread))
        return;
    o->known[thread] = known;
    o->known_at[thread] = o->now;
    o->has_known = true;
}

/* Releases that one of the lanes knows of are known to all. */
static void share_known(struct order *o, uint32_t warp, uint32_t lanes)
{
    uint32_t all = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        all = releases_join(&o->releases, all,
                            known_of(o, WARP_LANES * warp + (uint32_t)__builtin_ctz(left)), o->now);
    for (uint32_t left = lanes; left; left &= left - 1)
        learn(o, WARP_LANES * warp + (uint32_t)__builtin_ctz(left), all);
}

void order_syncwarp(struct order *o, uint32_t warp, uint32_t lanes, uint32_t mask, uint32_t running)
{
    struct warp_order *w = &o->warp[warp];
    uint32_t most[WARP_LANES] = {0};
    uint32_t time = ++o->now;
    if (o->has_known)
        share_known(o, warp, lanes);
    if (lanes == running) {
        w->all = time;
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1)
        for (unsigned i = 0, u = (unsigned)__builtin_ctz(left); i < WARP_LANES; i++)
            most[i] = w->seen[u][i] > most[i] ? w->seen[u][i] : most[i];
    for (uint32_t left = mask; left; left &= left - 1)
        most[__builtin_ctz(left)] = time;
    for (uint32_t left = lanes; left; left &= left - 1)
        memcpy(w->seen[__builtin_ctz(left)], most, sizeof most);
}

void order_fence(struct order *o, uint32_t warp, uint32_t lanes)
{
    uint32_t time = ++o->now;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t thread = WARP_LANES * warp + (uint32_t)__builtin_ctz(left);
        o->fence[thread] = time;
        o->fence_interval[thread] = o->interval_start;
        o->fence_warp[thread] = o->warp[warp].all;
    }
    o->has_fences = o->has_fences_now = true;
}

/* ---- Releases --------------------------------------------------------------------------------- */

bool order_releases(const struct order *o, uint32_t thread)
{
    return !o->has_syncs || o->fence[thread] >= o->block_start || o->has_fences_before;
}

void order_acquire(struct order *o, uint32_t thread, uint64_t address, bool is_shared)
{
    uint32_t release = releases_of_word(&o->releases, address, is_shared);
    if (release)
        learn(o, thread, release);
}

static struct release release_of(struct order *o, uint32_t thread)
{
    struct release release = {
        .time = o->now, .block_start = o->block_start, .thread = (uint16_t)thread};
    if (!o->has_syncs) { /* as if there were a fence in front of it */
        release.own_before = o->now;
        release.block_before = o->interval_start;
        return release;
    }
    if (o->fence[thread] >= o->block_start) {
        release.own_before = o->fence[thread];
        release.warp_before = o->fence_warp[thread];
        release.block_before = o->fence_interval[thread];
    }
    if (o->has_fences_before) {
        if (o->snapshot == 0)
            o->snapshot = releases_snapshot(&o->releases, o->fence_before, o->threads);
        release.snapshot = o->snapshot;
    }
    return release;
}

/* An atomic reads what is there, so it hands on what was released at the word before; a store does not. */
void order_release(struct order *o, uint32_t thread, uint64_t address, bool is_shared,
                   bool is_atomic)
{
    uint32_t before = is_atomic ? releases_of_word(&o->releases, address, is_shared) : 0;
    if (!order_releases(o, thread)) {
        if (!is_atomic)
            releases_set_word(&o->releases, address, is_shared, 0);
        return;
    }
    struct release release = release_of(o, thread);
    release.parents[0] = before;
    release.parents[1] = known_of(o, thread);
    releases_set_word(&o->releases, address, is_shared, releases_add(&o->releases, &release));
}

bool order_knows(struct order *o, uint32_t thread, uint32_t time, uint32_t other)
{
    return releases_cover(&o->releases, known_of(o, thread), time, other);
}
