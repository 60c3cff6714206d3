/* masks.c - __syncwarp, shuffles and votes: the lanes that a mask names, and those that come.
 *
 * Before sm_70 the lanes of a mask have to come to one instruction together. From sm_70 on a __syncwarp waits
 * for the others of its mask, which may come at another __syncwarp with the same mask; shuffles and votes
 * wait at the same one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "text/memory.h"

static const struct check_place *find_place(struct checker *c, const struct trace_sync *sync)
{
    for (size_t i = 0; i < c->place_count; i++)
        if (c->places[i]->line == sync->line && strcmp(c->places[i]->file, sync->file) == 0)
            return c->places[i];
    if (c->place_count == PLACES_MAX)
        return NULL;
    if (c->places == NULL)
        c->places = memory_take(PLACES_MAX, sizeof(struct check_place *));
    struct check_place *place = memory_take(1, sizeof *place);
    char *file = memory_copy(sync->file);
    if (c->places == NULL || place == NULL || file == NULL) {
        free(place);
        free(file);
        c->no_memory = true;
        return NULL;
    }
    *place = (struct check_place){file, sync->line};
    return c->places[c->place_count++] = place;
}

static void found(struct checker *c, unsigned lanes_run, const struct check_place *place,
                  uint32_t warp, uint32_t lanes, const char *what, uint32_t mask)
{
    char text[64];
    snprintf(text, sizeof text, "mask 0x%08x %s 0x%08x", (unsigned)mask, what, (unsigned)lanes);
    findings_mask(c, lanes_run, place, warp, (unsigned)__builtin_ctz(lanes), text);
}

/* Lanes that wait with the same mask at another __syncwarp are met there: whether there were some. */
static bool meet_waiting(struct checker *c, const struct trace_sync *sync)
{
    struct pending_sync *pending = c->pending[sync->warp];
    for (unsigned i = 0; i < PENDING_SYNCS; i++) {
        struct pending_sync *p = &pending[i];
        if (p->lanes == 0 || p->mask != sync->mask || p->lanes & sync->lanes)
            continue;
        p->lanes |= sync->lanes;
        if ((p->named & ~p->lanes) == 0)
            p->lanes = 0;
        return true;
    }
    return false;
}

/* Some named lanes have not come: from sm_70 on it waits for them. */
static void wait_for(struct checker *c, const struct trace_sync *sync, uint32_t named,
                     const struct check_place *place)
{
    struct pending_sync *pending = c->pending[sync->warp];
    for (unsigned i = 0; i < PENDING_SYNCS; i++)
        if (pending[i].lanes == 0) {
            pending[i] = (struct pending_sync){sync->lanes, named, sync->mask, place};
            c->has_pending |= 1U << sync->warp;
            return;
        }
}

void checker_end_pending(struct checker *c, uint32_t warp)
{
    if (!(c->has_pending >> warp & 1U))
        return;
    for (unsigned i = 0; i < PENDING_SYNCS; i++) {
        struct pending_sync *p = &c->pending[warp][i];
        if (p->lanes)
            found(c, LANES_APART, p->place, warp, p->mask & ~p->lanes,
                  "names lanes that do not come:", p->mask);
        p->lanes = 0;
    }
    c->has_pending &= ~(1U << warp);
}

void checker_sync(struct checker *c, const struct trace_sync *sync)
{
    const uint32_t named = sync->mask & sync->running, missing = named & ~sync->lanes;
    const uint32_t lacking = sync->lanes & ~sync->mask;
    if (sync->kind == SYNC_GRID) {
        order_grid(&c->order);
        return;
    }
    if (sync->kind >= FENCE_BLOCK) {
        order_fence(&c->order, sync->warp, sync->lanes);
        return;
    }
    const bool met =
        sync->kind == SYNC_WARP && c->has_pending >> sync->warp & 1U && meet_waiting(c, sync);
    const struct check_place *place = NULL;
    if (lacking || missing || met)
        place = find_place(c, sync);
    if (place && lacking)
        found(c, LANES_EITHER, place, sync->warp, lacking, "lacks lanes that come:", sync->mask);
    if (place && (missing || met))
        found(c, sync->kind == SYNC_WARP ? LANES_IN_STEP : LANES_EITHER, place, sync->warp,
              missing ? missing : sync->mask & ~sync->lanes,
              "names lanes that do not come:", sync->mask);
    if (place && missing && !met && sync->kind == SYNC_WARP)
        wait_for(c, sync, named, place);
    if (sync->kind == SYNC_WARP && sync->lanes & sync->mask)
        order_syncwarp(&c->order, sync->warp, sync->lanes & sync->mask, named, sync->running);
}
