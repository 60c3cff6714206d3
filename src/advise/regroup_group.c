/* regroup_group.c - keeps records; then sorts them by thread, in two passes: how many, and which.
 *
 * Decisions. How many of its warp's latest loads a step does not need is said of the thread's own loads:
 * of the warp's latest ones that one of the step's lanes took part in, the fewest. A barrier and a
 * warp's end are those of all lanes that the access before has left.
 */
#include "advise/regroup_group.h"

#include <stdlib.h>
#include <string.h>

#include "advise/pattern.h"
#include "text/list.h"
#include "text/memory.h"

void group_start(struct group *group, uint32_t block_threads)
{
    group->block_threads = block_threads;
    group_empty(group);
}

static uint32_t lanes_of_warp(const struct group *group, uint32_t warp)
{
    const uint32_t rest = group->block_threads - warp * WARP_LANES;
    return rest >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << rest) - 1;
}

static void block_begins(struct group *group)
{
    for (uint32_t w = 0; w < group_warps_per_block(group); w++)
        group->warps[w] = (struct group_warp){.alive = lanes_of_warp(group, w)};
}

void group_empty(struct group *group)
{
    group->blocks = 0;
    group->kept_count = group->lanes_count = group->alive_count = 0;
    group->shared_bytes = 0;
    free(group->first);
    free(group->items);
    group->first = group->items = NULL;
    block_begins(group);
}

void group_free(struct group *group)
{
    free(group->kept);
    free(group->lanes);
    free(group->alive);
    free(group->first);
    free(group->items);
    *group = (struct group){0};
}

/* ---- Keeping --------------------------------------------------------------------------------- */

static struct kept *add_kept(struct group *group, uint32_t warp)
{
    if (group->kept_count == REGROUP_RECORDS_MAX || warp >= group_warps_per_block(group) ||
        !LIST_MAKE_ROOM(group->kept, group->kept_count, group->kept_room))
        return NULL;
    return &group->kept[group->kept_count++];
}

/* Of the warp's latest `count` loads, how many the lane took part in. */
static uint32_t count_own(const struct group_warp *warp, uint32_t count, unsigned lane)
{
    uint32_t own = 0;
    for (uint32_t i = 1; i <= count; i++)
        own += warp->loads[(warp->load_count - i) % GROUP_LOADS_KEPT] >> lane & 1U;
    return own;
}

/* Of the warp's latest loads that the lanes do not need, how many each of them has made at least. */
static uint8_t own_loads(const struct group_warp *warp, const struct warp_access *a)
{
    const uint32_t kept = warp->load_count < GROUP_LOADS_KEPT ? warp->load_count : GROUP_LOADS_KEPT;
    uint32_t least = a->loads_left < kept ? a->loads_left : kept;
    const uint32_t latest = least;
    if (a->loads_left == NEEDS_NO_LOAD)
        return NEEDS_NO_LOAD;
    for (uint32_t lanes = a->active; lanes && least; lanes &= lanes - 1) {
        const uint32_t own = count_own(warp, latest, (unsigned)__builtin_ctz(lanes));
        least = own < least ? own : least;
    }
    return (uint8_t)least;
}

static bool keep_addresses(struct group *group, struct kept *kept, const struct warp_access *a)
{
    struct lane_pattern p;
    if (pattern_find(a, &p)) {
        kept->access.base = p.base;
        kept->access.stride = p.step;
        kept->row_step = p.row_step;
        kept->row_lanes = p.row_lanes;
        return true;
    }
    if (!LIST_MAKE_ROOM(group->lanes, group->lanes_count, group->lanes_room))
        return false;
    kept->lanes = (uint32_t)group->lanes_count;
    kept->row_lanes = 0;
    memcpy(group->lanes[group->lanes_count++], a->addr, sizeof *group->lanes);
    return true;
}

bool group_add_access(struct group *group, const struct warp_access *access)
{
    struct kept *kept = add_kept(group, access->warp);
    if (kept == NULL)
        return false;
    struct group_warp *warp = &group->warps[access->warp];
    *kept = (struct kept){.access = *access, .kind = KEPT_ACCESS};
    kept->access.loads_left = own_loads(warp, access);
    warp->alive = access->resident;
    if (access->op != OP_STORE)
        warp->loads[warp->load_count++ % GROUP_LOADS_KEPT] = access->active;
    return keep_addresses(group, kept, access);
}

static bool end_block(struct group *group, const struct trace_event *event)
{
    for (uint32_t w = 0; w < group_warps_per_block(group); w++) {
        if (!LIST_MAKE_ROOM(group->alive, group->alive_count, group->alive_room))
            return false;
        group->alive[group->alive_count++] = group->warps[w].alive;
    }
    if (event->shared_bytes > group->shared_bytes)
        group->shared_bytes = event->shared_bytes;
    group->blocks++;
    block_begins(group);
    return true;
}

bool group_add_event(struct group *group, const struct trace_event *event)
{
    if (event->kind == TRACE_BLOCK_END)
        return end_block(group, event);
    struct kept *kept = add_kept(group, event->warp);
    if (kept == NULL)
        return false;
    *kept = (struct kept){.kind = event->kind == TRACE_BARRIER ? KEPT_BARRIER : KEPT_WARP_END};
    kept->access.warp = event->warp;
    kept->access.work = event->work;
    kept->access.lag = event->lag;
    kept->access.active = event->kind == TRACE_BARRIER ? group->warps[event->warp].alive
                                                       : lanes_of_warp(group, event->warp);
    return true;
}

/* ---- By thread ------------------------------------------------------------------------------- */

/* Index of a kept record's lane 0 among the group's threads. Blocks come one after another. */
static size_t first_thread(const struct group *group, const struct kept *kept, uint32_t block)
{
    return (size_t)block * group->block_threads + kept->access.warp * WARP_LANES;
}

/* Calls for each thread's part, in the recorded order: counts, or places. `at`: by thread. */
static void walk(const struct group *group, uint32_t *at, uint32_t *items)
{
    uint32_t block = 0, ended = 0;
    for (size_t i = 0; i < group->kept_count; i++) {
        const struct kept *kept = &group->kept[i];
        const size_t thread = first_thread(group, kept, block);
        for (uint32_t lanes = kept->access.active; lanes; lanes &= lanes - 1) {
            uint32_t *place = &at[thread + (unsigned)__builtin_ctz(lanes)];
            if (items)
                items[*place] = (uint32_t)i;
            *place += 1;
        }
        ended += kept->kind == KEPT_WARP_END;
        if (ended == group_warps_per_block(group)) {
            block++;
            ended = 0;
        }
    }
}

bool group_close(struct group *group)
{
    const size_t threads = (size_t)group->blocks * group->block_threads;
    group->first = memory_take(threads + 2, sizeof *group->first);
    if (group->first == NULL)
        return false;
    walk(group, group->first + 2, NULL);
    for (size_t t = 2; t < threads + 2; t++)
        group->first[t] += group->first[t - 1];
    group->items = memory_take((size_t)group->first[threads + 1] + 1, sizeof *group->items);
    if (group->items == NULL)
        return false;
    walk(group, group->first + 1, group->items); /* first[t + 1] moves on to its own end */
    return true;
}

uint64_t group_addr(const struct group *group, uint32_t kept, unsigned lane)
{
    const struct kept *k = &group->kept[kept];
    const struct lane_pattern p = {k->access.base, k->access.stride, k->row_step, k->row_lanes};
    return k->row_lanes ? pattern_addr(&p, lane) : group->lanes[k->lanes][lane];
}
