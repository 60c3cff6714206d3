/* transform.c - maps every lane's address; makes one wide access of a struct's fields.
 *
 * The first field of an element that a warp accesses stands for all: it gets the element's width, the
 * other fields' accesses by the same lanes to the same elements go. A field that comes again begins
 * anew. Work of accesses that are gone, less the instruction itself, goes to the warp's next step.
 */
#include "advise/transform.h"

#include <stdlib.h>
#include <string.h>

#include "advise/pattern.h"
#include "text/memory.h"

enum { DROPPED_KEPT = 64 };

void transform_start(struct transform *t, const struct change *change,
                     const struct observed *observed, const struct trace_sink *next)
{
    *t = (struct transform){.filter = {next}, .change = change, .observed = observed};
}

void transform_stop(struct transform *t)
{
    free(t->arrays);
    managed_pages_free(&t->pages);
    t->arrays = NULL;
}

static const struct array_map *map_of(const struct transform *t, uint32_t site)
{
    static const struct array_map keep = {0};
    const uint16_t object = observed_object(t->observed, site);
    return object == NO_OBJECT ? &keep : &t->change->maps[object];
}

static uint64_t wide_bytes(const struct array_map *map)
{
    return map->pitch + map->pad;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct transform *t = context;
    struct trace_site changed = *site;
    const struct array_map *map = map_of(t, number);
    if (map->kind == MAP_WIDE)
        changed.width = (uint8_t)wide_bytes(map);
    return sink_site(t->filter.next, number, &changed);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void move_array(const struct transform *t, struct trace_array *array)
{
    for (size_t i = 0; i < t->observed->object_count; i++) {
        const struct object *object = &t->observed->objects[i];
        const struct array_map *map = &t->change->maps[i];
        if (!object->is_known || object->base != array->base || object->bytes != array->bytes)
            continue;
        array->base += (uint64_t)map->move;
        array->bytes = map->new_bytes;
        return;
    }
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct transform *t = context;
    struct launch_info changed = *launch;
    memset(t->warps, 0, sizeof t->warps);
    t->grows = t->change->kernel && strcmp(t->change->kernel, launch->kernel) == 0;
    if (launch->array_count > t->array_room) {
        struct trace_array *grown = memory_grow(t->arrays, launch->array_count * sizeof *t->arrays);
        if (grown == NULL)
            return false;
        t->arrays = grown;
        t->array_room = launch->array_count;
    }
    for (size_t i = 0; i < launch->array_count; i++) {
        t->arrays[i] = launch->arrays[i];
        move_array(t, &t->arrays[i]);
    }
    changed.arrays = t->arrays;
    managed_pages_free(&t->pages);
    if (!managed_pages_change(&t->pages, launch, t->change, t->observed))
        return false;
    changed.managed = t->pages.ranges;
    return sink_launch_begin(t->filter.next, &changed);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    struct transform *t = context;
    return sink_launch_end(t->filter.next,
                           shared_bytes + (t->grows ? t->change->shared_growth : 0));
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static struct transformed_warp *warp_of(struct transform *t, uint32_t block, uint32_t warp)
{
    if (t->block != block)
        memset(t->warps, 0, sizeof t->warps);
    t->block = block;
    return &t->warps[warp % TRANSFORM_WARPS_MAX];
}

/* Whether a wide access has taken this one in; otherwise it is the wide access of what follows. */
static bool is_taken_in(struct transformed_warp *warp, const struct array_map *map, uint16_t object,
                        const struct warp_access *a)
{
    const uint64_t at = access_addr(a, (unsigned)__builtin_ctz(a->active)) - map->base;
    const uint64_t element = at / map->pitch, offset = at % map->pitch;
    const uint32_t field = 1U << offset % 32;
    bool same = warp->wide.is_set && warp->wide.element == element &&
                warp->wide.active == a->active && warp->wide.object == object &&
                warp->wide.op == a->op && !(warp->fields_taken & field);
    warp->fields_taken = same ? warp->fields_taken | field : field;
    warp->wide.is_set = true;
    warp->wide.element = element;
    warp->wide.active = a->active;
    warp->wide.object = object;
    warp->wide.op = a->op;
    return same;
}

static uint16_t take_work(struct transformed_warp *warp, uint16_t work)
{
    uint32_t sum = warp->work + work;
    warp->work = 0;
    return sum > UINT16_MAX ? UINT16_MAX : (uint16_t)sum;
}

/* Of the latest `loads_left` loads, those that are still there. */
static uint8_t count_kept(const struct transformed_warp *warp, uint8_t loads_left)
{
    if (loads_left == NEEDS_NO_LOAD || loads_left == 0 || warp->dropped == 0)
        return loads_left;
    uint64_t latest = loads_left >= DROPPED_KEPT ? UINT64_MAX : (UINT64_C(1) << loads_left) - 1;
    return (uint8_t)(loads_left - __builtin_popcountll(warp->dropped & latest));
}

static bool hand_on(struct transform *t, const struct array_map *map, const struct warp_access *a,
                    struct transformed_warp *warp)
{
    struct warp_access changed = *a;
    struct lane_pattern p;
    uint64_t addr[WARP_LANES];
    const bool has_rows = pattern_find(a, &p);
    const uint64_t step = !has_rows ? 0 : p.step < 0 ? (uint64_t)-p.step : (uint64_t)p.step;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = access_lane_active(a, lane) ? map_address(map, access_addr(a, lane), step) : 0;
    changed.work = take_work(warp, a->work);
    changed.loads_left = count_kept(warp, a->loads_left);
    changed.addr = addr;
    if (map->kind == MAP_WIDE)
        changed.width = (uint8_t)wide_bytes(map);
    if (pattern_find(&changed, &p) && p.row_lanes == WARP_LANES) {
        changed.addr = NULL;
        changed.base = p.base;
        changed.stride = p.step;
    }
    return sink_access(t->filter.next, &changed);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct transform *t = context;
    struct transformed_warp *warp = warp_of(t, a->block, a->warp);
    const struct array_map *map = map_of(t, a->site);
    const bool goes =
        map->kind == MAP_WIDE && is_taken_in(warp, map, observed_object(t->observed, a->site), a);
    bool fine = true;
    if (goes)
        warp->work += a->work ? a->work - 1U : 0;
    else
        fine = hand_on(t, map, a, warp);
    if (a->op != OP_STORE)
        warp->dropped = warp->dropped << 1 | goes;
    return fine;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct transform *t = context;
    struct trace_event changed = *event;
    if (event->kind == TRACE_BLOCK_END)
        changed.shared_bytes += t->grows ? t->change->shared_growth : 0;
    else
        changed.work = take_work(warp_of(t, event->block, event->warp), event->work);
    return sink_event(t->filter.next, &changed);
}

struct trace_sink transform_sink(struct transform *t)
{
    struct trace_sink sink = filter_sink(&t->filter);
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    sink.access = on_access;
    sink.event = on_event;
    sink.launch_end = on_launch_end;
    return sink;
}
