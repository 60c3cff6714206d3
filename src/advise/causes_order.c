/* causes_order.c - causes that lie in which thread or block does what, and when: columns of matrices taken
 * by neighbouring lanes, blocks that camp on a partition.
 */
#include <inttypes.h>

#include "advise/causes.h"

enum { WASTE_LEAST = 2, CAMPING_PERCENT = 10, TILE_PADS = 4, PITCH_LEAST = 1024 };

static bool is_matrix(const struct object *object)
{
    return object->space == SPACE_GLOBAL && object->home == HOME_DEVICE && object->accesses &&
           !object->is_mixed && !object->is_irregular && object->atomics == 0 && object->width;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static uint64_t sectors_of(const struct counters *c)
{
    return c->global_load_sectors + c->global_store_sectors;
}

static uint64_t ideal_of(const struct counters *c)
{
    return c->global_load_ideal_sectors + c->global_store_ideal_sectors;
}

/* Lanes, or rows of lanes, so many bytes apart: the largest distance. */
static uint64_t largest_step(const struct object *object)
{
    uint64_t most = 0;
    for (size_t i = 0; i < object->step_count; i++)
        most = object->steps[i].bytes > most ? object->steps[i].bytes : most;
    return most;
}

static void add_tile(struct findings *f, size_t i, uint64_t pad)
{
    const struct object *object = &f->observed->objects[i];
    const struct counters *c = &f->by_object[i];
    struct candidate *candidate = findings_add(f, "tile", i);
    if (candidate == NULL)
        return;
    const uint32_t *block = f->observed->block;
    const uint64_t rows = (uint64_t)block[1] * block[2];
    candidate->staging = (struct staging){.object = (uint16_t)i,
                                          .pad_bytes = pad * object->width,
                                          .tile_bytes = rows * (block[0] + pad) * object->width};
    candidate->is_alone = true;
    snprintf(
        candidate->why, sizeof candidate->why,
        "neighbouring lanes of @ are %s bytes apart, a column: %s sectors move where %s would do",
        FINDINGS_COUNT(largest_step(object)), FINDINGS_COUNT(sectors_of(c)),
        FINDINGS_COUNT(ideal_of(c)));
    snprintf(candidate->change, sizeof candidate->change,
             "exchange the elements of a block through a tile in shared memory with rows of "
             "blockDim.x + %" PRIu64
             " elements, so that neighbouring lanes take neighbouring words of @",
             pad);
    snprintf(candidate->cost, sizeof candidate->cost,
             "a shared store, a shared load and a barrier for each access");
}

void find_columns(struct findings *f)
{
    const uint32_t *block = f->observed->block;
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        const struct counters *c = &f->by_object[i];
        if (largest_step(object) <= LINE_BYTES || sectors_of(c) < WASTE_LEAST * ideal_of(c))
            continue;
        add_swaps(f, i);
        if (!is_matrix(object) || block[1] < 2)
            continue;
        for (uint64_t pad = 0; pad <= TILE_PADS; pad++)
            add_tile(f, i, pad);
    }
}

/* ---- Partition camping ----------------------------------------------------------------------- */

static void say_camping(const struct findings *f, struct candidate *c)
{
    const struct counters *total = &f->result->total;
    snprintf(c->why, sizeof c->why,
             "for %.0f %% of the time one DRAM partition is busy and the others are idle beside it",
             100.0 * (double)total->limited_partition_cycles / (double)total->elapsed_cycles);
    c->needs_time = true;
}

static void add_order(struct findings *f, const char *remedy, spool_order *order,
                      const char *change)
{
    struct candidate *c = findings_add(f, remedy, NO_OBJECT);
    if (c == NULL)
        return;
    say_camping(f, c);
    c->order.of = order;
    snprintf(c->change, sizeof c->change, "%s", change);
    snprintf(c->cost, sizeof c->cost, "a few instructions a thread");
}

/* Rows of all matrices longer by the same part of a partition's stripes. */
static void add_pitches(struct findings *f, uint64_t pad)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (!is_matrix(object) || object->pitch < PITCH_LEAST || object->bytes % object->pitch != 0)
            continue;
        struct candidate *c = findings_add(f, "pitch", i);
        if (c == NULL)
            return;
        say_camping(f, c);
        c->map.kind = MAP_ROWS;
        c->map.pitch = object->pitch;
        c->map.pad = pad;
        c->variant = (uint32_t)pad;
        snprintf(c->change, sizeof c->change,
                 "rows of %" PRIu64 " instead of %" PRIu64 " bytes for @", object->pitch + pad,
                 object->pitch);
    }
}

void find_camping(struct findings *f)
{
    const struct counters *total = &f->result->total;
    const struct observed *o = f->observed;
    if (total->limited_partition_cycles * 100 < total->elapsed_cycles * CAMPING_PERCENT)
        return;
    if (o->grid[0] > 1 && o->grid[1] > 1 && !f->has_order) {
        add_order(
            f, "diagonal", order_diagonal,
            "take the blocks in diagonal order: y = blockIdx.x, x = (blockIdx.x + blockIdx.y) % "
            "gridDim.x for a square grid");
        add_order(f, "columns", order_columns,
                  "take the blocks column by column: swap blockIdx.x and blockIdx.y");
    }
    for (uint64_t pad = 64; pad <= 256 && o->grid[1] > 1; pad *= 2)
        add_pitches(f, pad);
}
