/* shapes.c - the shapes of a place's accesses, by the space-saving algorithm (Metwally et al., "Efficient
 * computation of frequent and top-k elements in data streams", 2005): a new shape takes the room of the one
 * seen least, and inherits its count as its own error. A shape of more than one access in 16 is never
 * missing at the end.
 *
 * Costs and banks are added up when a shape leaves, or at the end: once a shape and not once an access.
 */
#include <string.h>

#include "observe/shapes.h"
#include "sim/rules/lanes.h"

/* A shift that no rule sees: by a line of memory; by all banks, twice in Kepler's modes. */
static uint64_t period_of(const struct warp_access *access)
{
    return access->space == SPACE_SHARED ? 256 : 128;
}

static void kept_access_set(struct kept_access *to, const struct warp_access *access,
                            const char *array)
{
    to->access = *access;
    to->array = array;
    if (access->addr) {
        memcpy(to->addr, access->addr, sizeof to->addr);
        to->access.addr = to->addr;
    }
    if (access->copy) {
        to->copy = *access->copy;
        to->access.copy = &to->copy;
    }
}

enum {
    COPY_PERIOD = 512
}; /* four lines: what a copy counts goes by the destination's line modulo 4 */

/* Copies that are the same but for where they begin. */
static bool is_same_copy(const struct async_copy *a, const struct async_copy *b, uint32_t active)
{
    if (a == NULL || b == NULL)
        return a == b;
    const uint32_t first = lanes_lowest(active);
    const uint64_t shift = b->to[first] - a->to[first];
    if (shift % COPY_PERIOD || a->past_l1 != b->past_l1 || a->sized != b->sized)
        return false;
    for (uint32_t left = active; left; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        if (b->to[lane] - a->to[lane] != shift || a->bytes[lane] != b->bytes[lane])
            return false;
    }
    return true;
}

bool shape_is_same(const struct warp_access *a, const struct warp_access *b)
{
    if (a->active != b->active || a->width != b->width || a->flags != b->flags ||
        !is_same_copy(a->copy, b->copy, a->active))
        return false;
    const uint64_t shift =
        access_addr(b, lanes_lowest(a->active)) - access_addr(a, lanes_lowest(a->active));
    if (shift % period_of(a))
        return false;
    if (a->addr == NULL && b->addr == NULL && a->stride == b->stride)
        return true;
    for (uint32_t left = a->active; left; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        if (access_addr(b, lane) - access_addr(a, lane) != shift)
            return false;
    }
    return true;
}

static uint64_t cost_of(struct judge *judge, const struct warp_access *access)
{
    struct warp_access alone = *access;
    struct counters *c = &judge->sites[0];
    alone.site = 0;
    memset(c, 0, sizeof *c);
    judge_access(judge, &alone, NULL);
    return c->global_load_transactions + c->global_store_transactions +
           c->global_atomic_transactions + c->shared_load_passes + c->shared_store_passes +
           c->shared_atomic_passes + c->constant_load_passes + c->read_only_load_sectors +
           c->local_load_sectors + c->local_store_sectors + c->async_copy_sectors +
           c->async_copy_passes;
}

/* Adds a shape's accesses to the place's sums by GPU. */
static void shape_settle(struct observed_place *place, const struct observed_shape *shape,
                         struct judge *judges, size_t gpu_count)
{
    const struct kept_access *first = &shape->first;
    for (size_t g = 0; g < gpu_count; g++) {
        struct observed_worst *worst = &place->worst[g];
        const uint64_t cost = cost_of(&judges[g], &first->access);
        if (cost > worst->cost || (cost == worst->cost && shape->order < worst->order)) {
            worst->cost = cost;
            worst->order = shape->order;
            kept_access_set(&worst->access, &first->access, first->array);
        }
        if (place->banks)
            observed_banks_add(&judges[g].rules, &first->access, shape->count, &place->banks[g]);
    }
}

/* The place's shape that is like the access; NULL when there is none. */
static struct observed_shape *find_shape(struct observed_place *place,
                                         const struct warp_access *access)
{
    for (size_t i = 0; i < place->shape_count; i++)
        if (shape_is_same(&place->shapes[i].first.access, access))
            return &place->shapes[i];
    return NULL;
}

static struct observed_shape *rarest_shape(struct observed_place *place)
{
    struct observed_shape *rarest = &place->shapes[0];
    for (size_t i = 1; i < place->shape_count; i++)
        if (place->shapes[i].count + place->shapes[i].carried < rarest->count + rarest->carried)
            rarest = &place->shapes[i];
    return rarest;
}

void shapes_add(struct observed_place *place, const struct warp_access *access, const char *array,
                uint64_t order, struct judge *judges, size_t gpu_count)
{
    struct observed_shape *shape = find_shape(place, access);
    place->count++;
    if (shape) {
        shape->count++;
        return;
    }
    uint64_t carried = 0;
    if (place->shape_count < OBSERVED_SHAPES) {
        shape = &place->shapes[place->shape_count++];
    } else {
        shape = rarest_shape(place);
        shape_settle(place, shape, judges, gpu_count);
        carried = shape->count + shape->carried;
        place->dropped = true;
    }
    shape->count = 1;
    shape->carried = carried;
    shape->order = order;
    kept_access_set(&shape->first, access, array);
}

void shapes_finish(struct observed_place *place, struct judge *judges, size_t gpu_count)
{
    for (size_t i = 0; i < place->shape_count; i++)
        shape_settle(place, &place->shapes[i], judges, gpu_count);
    const struct observed_shape *typical = observed_typical(place);
    for (size_t g = 0; typical && g < gpu_count; g++)
        place->worst[g].typical_cost = cost_of(&judges[g], &typical->first.access);
}
