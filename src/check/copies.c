/* copies.c - what asynchronous copies bring is there for the thread that asked for them behind its wait, and for others behind a
 * barrier, or a __syncwarp, that comes behind that wait.
 *
 * At the moment in which it is asked for a copy meets other accesses as a store does, and so do later accesses that no barrier
 * orders behind that moment (accesses.c). What remains is looked for here: accesses that are ordered behind the copy and not
 * behind its arrival, among them the thread's own.
 */
#include "check/checker.h"

#include <stdlib.h>
#include <string.h>

void copies_free(struct checker *c)
{
    free(c->copies.words);
    free(c->copies.threads);
}

void copies_block(struct checker *c)
{
    if (c->copies.threads == NULL)
        return;
    memset(c->copies.threads, 0, BLOCK_THREADS_MAX * sizeof *c->copies.threads);
}

/* Whether the lane knows of all that the thread did up to a moment of this interval or before. */
static bool knows(struct checker *c, uint32_t warp, unsigned lane, uint32_t thread, uint32_t time)
{
    struct order *o = &c->order;
    if (time < o->interval_start || thread == WARP_LANES * warp + lane)
        return true;
    return thread / WARP_LANES == warp && o->has_syncs &&
           time < order_seen(o, warp, lane, thread % WARP_LANES);
}

/* Whether the lane knows that the copy is there; of a group whose wait is long ago it does. */
static bool has_arrived(struct checker *c, uint32_t warp, unsigned lane,
                        const struct copied_word *word)
{
    const struct thread_copies *thread = &c->copies.threads[word->thread];
    if (word->group >= thread->arrived)
        return false;
    return thread->arrived - word->group > COPY_GROUPS_KEPT ||
           knows(c, warp, lane, word->thread, thread->arrived_at[word->group % COPY_GROUPS_KEPT]);
}

static void look_at_word(struct checker *c, const struct warp_access *a, unsigned lane,
                         uint64_t address)
{
    const struct copied_word *word = &c->copies.words[address / 4];
    if (word->time < c->order.block_start || word->time == 0)
        return;
    if (!knows(c, a->warp, lane, word->thread, word->time) || has_arrived(c, a->warp, lane, word))
        return;
    const struct touch touch = {.time = word->time,
                                .lanes = 1U << word->thread % WARP_LANES,
                                .site = word->site,
                                .warp = (uint8_t)(word->thread / WARP_LANES)};
    findings_meet(c, &(struct meeting){.kind = HAZARD_ASYNC_COPY,
                                       .lanes_run = LANES_EITHER,
                                       .touch = &touch,
                                       .other = word->thread % WARP_LANES,
                                       .first_site = word->site,
                                       .second_site = (uint16_t)a->site,
                                       .warp = a->warp,
                                       .lane = lane,
                                       .address = address});
}

void copies_access(struct checker *c, const struct warp_access *a)
{
    if (c->copies.threads == NULL || a->space != SPACE_SHARED)
        return;
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t address = access_addr(a, lane);
        for (uint64_t at = address & ~(uint64_t)3; at < address + a->width; at += 4)
            if (at / 4 < COPY_WORDS)
                look_at_word(c, a, lane, at);
    }
}

/* As a store at this moment; then its words are on their way. */
static void begin(struct checker *c, const struct warp_access *a)
{
    struct warp_access side = *a;
    const bool no_values = c->limits.no_values;
    c->sites[a->site].is_copy = true;
    side.copy = NULL;
    side.active = 0;
    for (uint32_t left = a->active; left; left &= left - 1)
        if (a->copy->bytes[__builtin_ctz(left)])
            side.active |= left & -left;
    if (side.active)
        checker_access(c, &side);
    side.active = a->active;
    side.addr = a->copy->to;
    side.op = OP_STORE;
    side.space = SPACE_SHARED;
    copies_access(c, &side);
    checker_access(c, &side);
    c->limits.no_values = no_values; /* not known, and not lost by the trace */
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t thread = WARP_LANES * a->warp + lane;
        for (uint32_t at = 0; at < a->width; at += 4)
            c->copies.words[(a->copy->to[lane] + at) / 4] =
                (struct copied_word){.time = c->order.now,
                                     .group = c->copies.threads[thread].groups,
                                     .site = (uint16_t)a->site,
                                     .thread = (uint16_t)thread};
    }
}

static void take_step(struct thread_copies *thread, const struct trace_copy *copy, uint32_t now)
{
    if (copy->step == COPY_COMMIT) {
        thread->groups++;
        return;
    }
    for (; thread->arrived + copy->left < thread->groups; thread->arrived++)
        thread->arrived_at[thread->arrived % COPY_GROUPS_KEPT] = now;
}

static bool make_room(struct check_copies *copies)
{
    if (copies->words == NULL)
        copies->words = calloc(COPY_WORDS, sizeof *copies->words);
    if (copies->threads == NULL)
        copies->threads = calloc(BLOCK_THREADS_MAX, sizeof *copies->threads);
    return copies->words && copies->threads;
}

bool copies_take(struct checker *c, const struct trace_copy *copy)
{
    c->no_memory |= !make_room(&c->copies);
    if (c->no_memory)
        return false;
    if (copy->step == COPY_BEGINS)
        begin(c, copy->access);
    for (uint32_t left = copy->step == COPY_BEGINS ? 0 : copy->lanes; left; left &= left - 1)
        take_step(&c->copies.threads[WARP_LANES * copy->warp + (uint32_t)__builtin_ctz(left)], copy,
                  c->order.now);
    return true;
}
