/* observe.c - accesses -> objects.
 *
 * Decisions. Distances between lanes count without their sign. The pitch of rows is what divides the
 * distances of more than a line between lanes, and those between the first addresses of one site's
 * accesses within a block, those left out that lie within one access: neighbouring warps of a row do
 * not say how far apart rows are.
 */
#include "advise/observe.h"

#include <stdlib.h>
#include <string.h>

#include "advise/observe_atomics.h"
#include "advise/observe_objects.h"
#include "advise/pattern.h"
#include "text/list.h"
#include "text/memory.h"

enum { SECTORS_MAX = 16 << 20 };

/* What a site's accesses in the current block have shown. */
struct site_state {
    uint64_t first; /* address of the block's first access */
    uint64_t last;  /* of the latest one by the same warp */
    uint32_t block, warp;
    uint32_t visits; /* by that warp */
    bool is_begun;
};

struct surveyor {
    struct observed *observed;
    struct site_state *states; /* by site */
    const struct launch_info *launch;
    const char *kernel;
    struct atomic_turns atomics; /* of the launch */
    uint32_t *
        *last_blocks; /* by object, by sector of [low, high): 1 + the block that loaded it last */
};

struct surveyor *surveyor_new(struct observed *observed)
{
    struct surveyor *o = memory_take(1, sizeof *o);
    *observed = (struct observed){.objects = memory_take(OBJECTS_MAX, sizeof *observed->objects)};
    if (o) {
        o->observed = observed;
        o->last_blocks = memory_take(OBJECTS_MAX, sizeof *o->last_blocks);
    }
    if (o && o->last_blocks && observed->objects)
        return o;
    surveyor_free(o);
    observed_free(observed);
    return NULL;
}

void surveyor_free(struct surveyor *o)
{
    for (size_t i = 0; o && o->last_blocks && i < OBJECTS_MAX; i++)
        free(o->last_blocks[i]);
    if (o) {
        free(o->last_blocks);
        free(o->states);
    }
    free(o);
}

void observed_free(struct observed *observed)
{
    free(observed->objects);
    free(observed->object_of_site);
    free(observed->sites);
    free(observed->kernel_of_site);
    free(observed->kernels);
    *observed = (struct observed){0};
}

/* ---- The first pass -------------------------------------------------------------------------- */

static uint64_t magnitude(int64_t step)
{
    return step < 0 ? (uint64_t)-step : (uint64_t)step;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void see_step(struct object *object, uint64_t bytes)
{
    size_t i = 0;
    while (i < object->step_count && object->steps[i].bytes != bytes)
        i++;
    if (i == OBJECT_STEPS_MAX || bytes == 0)
        return;
    object->step_count += i == object->step_count;
    object->steps[i].bytes = bytes;
    object->steps[i].times++;
}

static bool has_neighbours(uint32_t active)
{
    return (active & active >> 1) != 0;
}

/* A distance within an access: of words, or of rows. */
static void see_distance(struct object *object, int64_t step)
{
    see_step(object, magnitude(step));
    if (magnitude(step) > LINE_BYTES)
        object->pitch = common_divisor(object->pitch, magnitude(step));
}

static void see_lanes(struct object *object, const struct warp_access *a)
{
    struct lane_pattern p;
    if (!pattern_find(a, &p)) {
        object->is_irregular = true;
        object->lane_steps_differ = true;
        return;
    }
    see_distance(object, p.step);
    see_distance(object, p.row_step);
    if (!has_neighbours(a->active))
        return;
    if (p.row_step)
        object->lane_steps_differ = true;
    object->lane_steps_differ |= object->lane_step && object->lane_step != magnitude(p.step);
    object->lane_step = magnitude(p.step);
}

/* Lowest and highest address of the access. */
static void find_span(const struct warp_access *a, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t addr = access_addr(a, lane);
        if (!access_lane_active(a, lane))
            continue;
        *low = addr < *low ? addr : *low;
        *high = addr > *high ? addr : *high;
    }
}

static void see_return(struct object *object, struct site_state *state, uint64_t low)
{
    const uint64_t distance = low > state->last ? low - state->last : state->last - low;
    object->returns++;
    object->near_returns += distance > 0 && distance < SECTOR_BYTES;
    state->last = low;
}

static void see_place(struct surveyor *o, struct object *object, const struct warp_access *a)
{
    struct site_state *state = &o->states[a->site];
    uint64_t low, high;
    find_span(a, &low, &high);
    if ((a->active & (a->active - 1)) != 0) {
        object->start = object->has_start ? object->start : (uint32_t)(low % LINE_BYTES);
        object->start_differs |= object->start ^ (uint32_t)(low % LINE_BYTES);
        object->has_start = true;
    }
    object->low = low < object->low ? low : object->low;
    object->high = high + a->width > object->high ? high + a->width : object->high;
    if (state->is_begun && state->block == a->block) {
        uint64_t distance = low > state->first ? low - state->first : state->first - low;
        if (distance > high - low)
            object->pitch = common_divisor(object->pitch, distance);
        if (a->warp == state->warp) {
            see_return(object, state, low);
            state->visits++;
        }
    } else {
        *state = (struct site_state){.first = low,
                                     .last = low,
                                     .block = a->block,
                                     .warp = a->warp,
                                     .visits = 1,
                                     .is_begun = true};
    }
}

static bool make_room_for_sites(struct surveyor *o)
{
    struct observed *observed = o->observed;
    size_t objects_room = observed->site_room, states_room = observed->site_room;
    size_t kernels_room = observed->site_room;
    return list_grow(&observed->object_of_site, &objects_room, sizeof *observed->object_of_site) &&
           list_grow(&observed->kernel_of_site, &kernels_room, sizeof *observed->kernel_of_site) &&
           list_grow(&o->states, &states_room, sizeof *o->states) &&
           list_grow(&observed->sites, &observed->site_room, sizeof *observed->sites);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct surveyor *o = context;
    struct observed *observed = o->observed;
    if (number == observed->site_room && !make_room_for_sites(o))
        return false;
    observed->sites[number] = *site;
    observed->object_of_site[number] = NO_OBJECT;
    observed->kernel_of_site[number] = 0;
    o->states[number] = (struct site_state){0};
    observed->site_count = number + 1;
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct surveyor *o = context;
    struct observed *observed = o->observed;
    o->kernel = launch->kernel;
    o->atomics = (struct atomic_turns){0};
    observed->launches++;
    if (observed->launches == 1) {
        memcpy(observed->grid, launch->grid, sizeof observed->grid);
        memcpy(observed->block, launch->block, sizeof observed->block);
    }
    observed_add_arrays(observed, launch);
    for (size_t i = 0; i < observed->site_count; i++)
        o->states[i].is_begun = false;
    return kernels_begin(observed, launch);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct surveyor *o = context;
    struct object *object = observed_object_of(o->observed, o->kernel, a,
                                               access_addr(a, (unsigned)__builtin_ctz(a->active)));
    if (object) {
        see_lanes(object, a);
        see_place(o, object, a);
    }
    kernels_see_access(o->observed, a, o->observed->object_of_site[a->site],
                       o->states[a->site].visits);
    if (object == NULL)
        return true; /* beyond OBJECTS_MAX nothing is advised */
    object->width = object->accesses == 0 || object->width == a->width ? a->width : 0;
    object->stores += a->op == OP_STORE;
    observe_atomic(&o->atomics, object, o->kernel, a);
    object->atomics += a->op == OP_ATOMIC;
    object->accesses++;
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    const struct surveyor *o = context;
    kernels_see_event(o->observed, event);
    return true;
}

struct trace_sink surveyor_first_pass(struct surveyor *surveyor)
{
    return (struct trace_sink){.context = surveyor,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event};
}

/* ---- The second pass ------------------------------------------------------------------------- */

static void see_field(struct object *object, const struct warp_access *a)
{
    const uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(a->active));
    const uint64_t offset = (addr - object->base) % object->lane_step;
    struct object_field *fields = object->fields;
    size_t i = 0;
    while (i < object->field_count && fields[i].offset < offset)
        i++;
    if (i < object->field_count && fields[i].offset == offset && fields[i].width == a->width) {
        fields[i].accesses++;
        return;
    }
    if (object->field_count == OBJECT_FIELDS_MAX) {
        object->has_more_fields = true;
        return;
    }
    memmove(&fields[i + 1], &fields[i], (object->field_count - i) * sizeof *fields);
    fields[i] = (struct object_field){offset, a->width, 1};
    object->field_count++;
}

/* Each sector of an access once. */
static void see_sectors(struct object *object, uint32_t *last_block, const struct warp_access *a)
{
    uint64_t seen[WARP_LANES];
    size_t count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t sector = (access_addr(a, lane) - object->low) / SECTOR_BYTES;
        size_t i = count;
        while (i > 0 && seen[i - 1] != sector)
            i--;
        if (i > 0 || !access_lane_active(a, lane))
            continue;
        seen[count++] = sector;
        object->sectors_loaded++;
        object->sectors_by_block += last_block[sector] != a->block + 1;
        last_block[sector] = a->block + 1;
    }
}

/* NULL when the array is too large, or memory is short: nothing is known of it then. */
static uint32_t *last_blocks_of(struct surveyor *o, const struct object *object)
{
    uint32_t **last = &o->last_blocks[object - o->observed->objects];
    const uint64_t sectors = (object->high - object->low) / SECTOR_BYTES + 1;
    if (*last == NULL && sectors <= SECTORS_MAX)
        *last = memory_take(sectors, sizeof **last);
    return *last;
}

static bool on_second_access(void *context, const struct warp_access *a)
{
    struct surveyor *o = context;
    const uint16_t number = o->observed->object_of_site[a->site];
    if (number == NO_OBJECT)
        return true;
    struct object *object = &o->observed->objects[number];
    if (object->lane_step && !object->lane_steps_differ)
        see_field(object, a);
    if (a->space == SPACE_GLOBAL && a->op == OP_LOAD) {
        uint32_t *last = last_blocks_of(o, object);
        if (last)
            see_sectors(object, last, a);
    }
    return true;
}

struct trace_sink surveyor_second_pass(struct surveyor *o)
{
    for (size_t i = 0; i < o->observed->object_count; i++) {
        struct object *object = &o->observed->objects[i];
        if (object->is_known)
            continue;
        object->base = object->accesses ? object->low : 0;
        object->bytes = object->accesses ? object->high - object->low : 0;
    }
    return (struct trace_sink){.context = o, .access = on_second_access};
}
