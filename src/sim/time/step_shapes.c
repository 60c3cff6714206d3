/* step_shapes.c - a table by hash, which only grows until it is cleared. */
#include "sim/time/step_shapes.h"

#include <stdlib.h>
#include <string.h>

enum { PROBES_MAX = 16 };

bool step_shapes_init(struct step_shapes *shapes)
{
    memset(shapes, 0, sizeof *shapes);
    shapes->shapes = malloc(STEP_SHAPES_MAX * sizeof *shapes->shapes);
    return shapes->shapes != NULL;
}

void step_shapes_free(struct step_shapes *shapes)
{
    free(shapes->shapes);
    shapes->shapes = NULL;
}

void step_shapes_clear(struct step_shapes *shapes)
{
    memset(shapes->slots, 0, sizeof shapes->slots);
    shapes->count = 0;
}

/* All that two accesses of one shape have in common but the distances. */
static void make_key(const struct warp_access *a, bool listed, uint64_t key[3])
{
    const uint32_t stride = listed ? 0 : (uint32_t)a->stride;
    key[0] = stride | (uint64_t)a->active << 32;
    key[1] = a->site | (uint64_t)a->work << 32 | (uint64_t)a->loads_left << 48 |
             (uint64_t)a->flags << 56;
    key[2] = a->width | (uint64_t)a->op << 8 | (uint64_t)a->space << 16 |
             (uint64_t)(a->active != a->resident) << 24 | (uint64_t)listed << 25 |
             (uint64_t)a->lag << 32;
}

static uint64_t hash_of(const uint64_t key[3], const struct step_lanes *lanes)
{
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15ULL ^ key[1];
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ULL ^ key[2];
    for (unsigned lane = 0; lanes && lane < WARP_LANES; lane += 2) {
        uint64_t two;
        memcpy(&two, &lanes->distance[lane], sizeof two);
        hash += two * (2 * lane + 0x94d049bb133111ebULL);
    }
    hash = (hash ^ hash >> 32) * 0x94d049bb133111ebULL;
    return hash ^ hash >> 31;
}

static bool is_shape(const struct step_shape *shape, const uint64_t key[3],
                     const struct step_lanes *lanes)
{
    return shape->key[0] == key[0] && shape->key[1] == key[1] && shape->key[2] == key[2] &&
           (lanes == NULL || memcmp(shape->distance, lanes->distance, sizeof shape->distance) == 0);
}

static void fill(struct step_shape *shape, const struct warp_access *a, const uint64_t key[3],
                 const struct step_lanes *lanes)
{
    shape->access = *a;
    shape->access.addr = NULL;
    shape->access.values = NULL;
    shape->access.base = 0;
    shape->access.warp = 0;
    shape->access.resident = a->active != a->resident ? UINT32_MAX : a->active;
    shape->listed = lanes != NULL;
    memcpy(shape->key, key, sizeof shape->key);
    if (lanes)
        memcpy(shape->distance, lanes->distance, sizeof shape->distance);
}

/* Whether the hash has come before; it has from now on. */
static bool came_before(struct step_shapes *shapes, uint64_t hash)
{
    const uint32_t tag = (uint32_t)(hash >> 32) | 1;
    uint32_t *seen = &shapes->seen[(hash >> 13) % (sizeof shapes->seen / sizeof shapes->seen[0])];
    const bool before = *seen == tag;
    *seen = tag;
    return before;
}

uint32_t step_shapes_find(struct step_shapes *shapes, const struct warp_access *access,
                          const struct step_lanes *lanes, uint64_t *shape_hash)
{
    uint64_t key[3];
    make_key(access, lanes != NULL, key);
    const uint64_t hash = *shape_hash = hash_of(key, lanes);
    for (uint32_t probe = 0; probe < PROBES_MAX; probe++) {
        uint16_t *slot = &shapes->slots[(hash + probe) % STEP_SHAPES_SLOTS];
        if (*slot && is_shape(&shapes->shapes[*slot - 1], key, lanes))
            return *slot - 1U;
        if (*slot)
            continue;
        if (shapes->count == STEP_SHAPES_MAX || !came_before(shapes, hash))
            return STEP_NO_SHAPE;
        fill(&shapes->shapes[shapes->count], access, key, lanes);
        *slot = (uint16_t)++shapes->count;
        return shapes->count - 1;
    }
    return STEP_NO_SHAPE;
}
