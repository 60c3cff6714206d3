/* observer.c - accesses -> places -> shapes, in front of whoever takes the run. */
#include "observe/observer.h"

#include <stdlib.h>
#include <string.h>

#include "observe/elements.h"
#include "observe/shapes.h"

#define LEFT_OUT UINT32_MAX

static bool fail(struct observer *observer)
{
    observer->failed = true;
    return false;
}

static bool reserve_sites(struct observer *observer, size_t count)
{
    if (count <= observer->site_room)
        return true;
    size_t room = count + observer->site_room;
    uint32_t *grown = realloc(observer->place_of, room * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + observer->site_room, 0, (room - observer->site_room) * sizeof *grown);
    observer->place_of = grown;
    observer->site_room = room;
    return true;
}

static bool place_init(struct observed_place *place, const struct trace_site *site,
                       size_t gpu_count)
{
    *place = (struct observed_place){
        .file = site->file, .line = site->line, .space = site->space, .op = site->op};
    place->shapes = calloc(OBSERVED_SHAPES, sizeof *place->shapes);
    place->worst = calloc(gpu_count, sizeof *place->worst);
    if (site->space == SPACE_SHARED)
        place->banks = calloc(gpu_count, sizeof *place->banks);
    return place->shapes && place->worst && (place->banks || site->space != SPACE_SHARED);
}

static bool is_at(const struct observed_place *place, const struct trace_site *site)
{
    return place->line == site->line && place->space == site->space && place->op == site->op &&
           strcmp(place->file, site->file) == 0;
}

/* 1 + the place of a site, made when it is new; 0 without memory. */
static uint32_t find_place(struct observer *observer, const struct trace_site *site)
{
    struct observation *o = observer->observation;
    if (observer->only_line && site->line != observer->only_line)
        return LEFT_OUT;
    for (size_t i = 0; i < o->place_count; i++)
        if (is_at(&o->places[i], site))
            return (uint32_t)i + 1;
    if (o->place_count == OBSERVED_PLACES_MAX) {
        o->places_left_out = true;
        return LEFT_OUT;
    }
    return place_init(&o->places[o->place_count++], site, o->gpu_count) ? (uint32_t)o->place_count
                                                                        : 0;
}

/* An access of elements that are looked for. */
static bool has_elements(const struct warp_access *access)
{
    return access->space == SPACE_GLOBAL || access->space == SPACE_TEXTURE;
}

static bool take_shape(struct observer *observer, const struct warp_access *access)
{
    const struct trace_site *site = *observer->sites + access->site;
    if (!reserve_sites(observer, (size_t)access->site + 1))
        return fail(observer);
    uint32_t *place = &observer->place_of[access->site];
    if (*place == 0)
        *place = find_place(observer, site);
    if (*place == 0)
        return fail(observer);
    if (*place != LEFT_OUT)
        shapes_add(&observer->observation->places[*place - 1], access, site->array,
                   observer->accesses, observer->judges, observer->observation->gpu_count);
    observer->accesses++;
    return true;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct observer *observer = context;
    if (!take_shape(observer, access))
        return false;
    if (observer->elements && has_elements(access))
        elements_add(observer->elements, access);
    return sink_access(observer->filter.next, access);
}

/* An asynchronous copy, when its line alone is asked about: pages and reports have no pictures of copies. */
static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct observer *observer = context;
    if (observer->only_line && copy->access && !take_shape(observer, copy->access))
        return false;
    return sink_copy(observer->filter.next, copy);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct observer *observer = context;
    if (observer->elements && !elements_launch(observer->elements, launch))
        return fail(observer);
    return sink_launch_begin(observer->filter.next, launch);
}

bool observer_start(struct observer *observer, const struct arch *const *arches, size_t gpu_count,
                    const struct trace_site *const *sites, uint32_t only_line)
{
    *observer = (struct observer){.sites = sites, .only_line = only_line, .gpu_count = gpu_count};
    observer->judges = calloc(gpu_count + 1, sizeof *observer->judges);
    observer->observation = calloc(1, sizeof *observer->observation);
    if (observer->judges == NULL || observer->observation == NULL)
        return false;
    observer->observation->gpu_count = gpu_count;
    observer->observation->places =
        calloc(OBSERVED_PLACES_MAX, sizeof *observer->observation->places);
    observer->elements = only_line ? NULL : elements_new();
    if (observer->observation->places == NULL || (only_line == 0 && observer->elements == NULL))
        return false;
    for (size_t i = 0; i < gpu_count; i++)
        if (!judge_init(&observer->judges[i], arches[i], 1) ||
            !judge_reserve_sites(&observer->judges[i], 1))
            return false;
    return true;
}

struct trace_sink observer_sink(struct observer *observer, const struct trace_sink *next)
{
    observer->filter.next = next;
    struct trace_sink sink = filter_sink(&observer->filter);
    sink.access = on_access;
    sink.copy = on_copy;
    sink.launch_begin = on_launch_begin;
    sink.takes_repeats = false; /* it counts accesses */
    return sink;
}

struct observation *observer_finish(struct observer *observer)
{
    struct observation *o = observer->observation;
    if (observer->failed ||
        (observer->elements && !elements_finish(observer->elements, *observer->sites, o)))
        return NULL;
    for (size_t i = 0; i < o->place_count; i++)
        shapes_finish(&o->places[i], observer->judges, o->gpu_count);
    observer->observation = NULL;
    return o;
}

void observer_free(struct observer *observer)
{
    for (size_t i = 0; observer->judges && i < observer->gpu_count; i++)
        judge_free(&observer->judges[i]);
    free(observer->judges);
    free(observer->place_of);
    elements_free(observer->elements);
    observation_free(observer->observation);
}
