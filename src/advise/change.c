/* change.c - address maps, orders of blocks, and where changed arrays are placed.
 *
 * The diagonal order is that of Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2009),
 * for grids of any shape.
 */
#include "advise/change.h"

#include <stdlib.h>
#include <string.h>

#include "stream/addresses.h"
#include "stream/managed_range.h"
#include "text/memory.h"

enum { SHARED_ALIGN = 256, MANAGED_BLOCK_BYTES = MANAGED_BLOCK_PAGES * MANAGED_PAGE_BYTES };

bool change_start(struct change *change, const struct observed *observed)
{
    *change =
        (struct change){.map_count = observed->object_count, .staging = {.object = NO_OBJECT}};
    change->maps = memory_take(observed->object_count + 1, sizeof *change->maps);
    for (size_t i = 0; change->maps && i < observed->object_count; i++) {
        const struct object *object = &observed->objects[i];
        change->maps[i] = (struct array_map){
            .base = object->base, .bytes = object->bytes, .new_bytes = object->bytes};
    }
    return change->maps != NULL;
}

void change_free(struct change *change)
{
    free(change->maps);
    *change = (struct change){0};
}

/* ---- Maps ------------------------------------------------------------------------------------ */

static uint64_t map_field(const struct array_map *map, uint64_t at)
{
    const uint64_t element = at / map->pitch, offset = at % map->pitch;
    for (size_t i = 0; i < map->field_count; i++) {
        const struct field_place *field = &map->fields[i];
        if (offset >= field->offset && offset < field->offset + field->width)
            return field->place + element * field->width + (offset - field->offset);
    }
    return at; /* what is observed has a field */
}

static uint64_t map_swizzled(const struct array_map *map, uint64_t at)
{
    const uint64_t words = map->pitch / map->unit_bytes, row = at / map->pitch;
    const uint64_t column = at % map->pitch / map->unit_bytes;
    return row * map->pitch + (column ^ (row & (words - 1))) * map->unit_bytes +
           at % map->unit_bytes;
}

/* With lanes S words apart, lane t takes word S t, or S t + S / 2 for its partner: words t and
 * t + words / S. Anything else stays. */
static uint64_t map_halves(const struct array_map *map, uint64_t at, uint64_t lane_step)
{
    const uint64_t step = lane_step / map->unit_bytes, word = at / map->unit_bytes;
    const uint64_t words = map->bytes / map->unit_bytes;
    if (step < 2 || (step & (step - 1)) != 0 || words % step != 0 || word % (step / 2) != 0)
        return at;
    const uint64_t half = word % step / (step / 2);
    return (word / step + half * (words / step)) * map->unit_bytes + at % map->unit_bytes;
}

uint64_t map_address(const struct array_map *map, uint64_t addr, uint64_t lane_step)
{
    uint64_t at = addr - map->base;
    switch (map->kind) {
    case MAP_KEEP:
    case MAP_PREFETCH:
    case MAP_WARP_SUM:
    case MAP_BLOCK_SUM:
        break;
    case MAP_SHIFT:
        at -= map->pad;
        break;
    case MAP_FIELDS:
        at = map_field(map, at);
        break;
    case MAP_WIDE:
        at = at / map->pitch * (map->pitch + map->pad);
        break;
    case MAP_ROWS:
        at += at / map->pitch * map->pad;
        break;
    case MAP_SWIZZLE:
        at = map_swizzled(map, at);
        break;
    case MAP_HALVES:
        at = map_halves(map, at, lane_step);
        break;
    }
    return map->base + at + (uint64_t)map->move;
}

/* ---- Sizes and places ------------------------------------------------------------------------ */

static uint64_t round_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

/* Places the fields' arrays one behind the other, as one allocation each. */
static void size_fields(struct array_map *map, bool is_global)
{
    const uint64_t elements = (map->bytes + map->pitch - 1) / map->pitch;
    uint64_t used = 0;
    for (size_t i = 0; i < map->field_count; i++) {
        map->fields[i].place =
            is_global ? array_offset(used, ARRAY_ALIGN) : round_up(used, SHARED_ALIGN);
        map->new_bytes = map->fields[i].place + elements * map->fields[i].width;
        used = map->new_bytes + (is_global ? ARRAY_GAP : 0);
    }
}

static void size_map(struct array_map *map, bool is_global)
{
    map->new_bytes = map->bytes - (map->kind == MAP_SHIFT ? map->pad : 0);
    if (map->kind == MAP_FIELDS)
        size_fields(map, is_global);
    else if (map->kind == MAP_WIDE || map->kind == MAP_ROWS)
        map->new_bytes = (map->bytes + map->pitch - 1) / map->pitch * (map->pitch + map->pad);
}

/* The known array with the lowest base of at least `from`; the count of objects when there is none. */
static size_t next_array(const struct observed *observed, uint64_t from)
{
    size_t best = observed->object_count;
    for (size_t i = 0; i < observed->object_count; i++) {
        const struct object *object = &observed->objects[i];
        if (object->is_known && object->base >= from &&
            (best == observed->object_count || object->base < observed->objects[best].base))
            best = i;
    }
    return best;
}

static bool all_can_move(const struct observed *observed)
{
    bool fine = !observed->arrays_overlap;
    for (size_t i = 0; i < observed->object_count; i++) {
        const struct object *object = &observed->objects[i];
        bool is_global = object->space == SPACE_GLOBAL || object->space == SPACE_TEXTURE;
        fine &=
            !is_global || (object->is_known && object->home == HOME_DEVICE && !object->is_mixed);
    }
    return fine;
}

/* Places all arrays anew, in their order. */
static void place_arrays(struct change *change, const struct observed *observed)
{
    size_t i = next_array(observed, 0);
    const uint64_t first = i < observed->object_count ? observed->objects[i].base : 0;
    for (uint64_t used = 0; i < observed->object_count;
         i = next_array(observed, observed->objects[i].base + 1)) {
        struct array_map *map = &change->maps[i];
        const uint64_t offset = array_offset(used, ARRAY_ALIGN);
        map->move += (int64_t)(first + offset - map->base);
        used = offset + map->new_bytes + ARRAY_GAP;
    }
}

/* Places what has changed behind everything else. */
static void place_behind(struct change *change, const struct observed *observed)
{
    uint64_t end = 0;
    for (size_t i = 0; i < observed->object_count; i++) {
        const struct object *object = &observed->objects[i];
        if (object->space != SPACE_SHARED && object->base + object->bytes > end)
            end = object->base + object->bytes;
    }
    for (size_t i = 0; i < observed->object_count; i++) {
        struct array_map *map = &change->maps[i];
        if (observed->objects[i].space == SPACE_SHARED || map_keeps_bytes(map))
            continue;
        const bool is_managed = observed->objects[i].home == HOME_MANAGED;
        const uint64_t base =
            array_offset(end + ARRAY_GAP, is_managed ? MANAGED_BLOCK_BYTES : ARRAY_ALIGN);
        map->move += (int64_t)(base - map->base);
        end = base + map->new_bytes;
    }
}

static bool is_shared_of(const struct object *object, const char *kernel)
{
    return object->space == SPACE_SHARED && strcmp(object->kernel, kernel) == 0;
}

/* Arrays behind the one that has grown move on. */
static void place_shared(struct change *change, const struct observed *observed, size_t grown)
{
    const struct array_map *map = &change->maps[grown];
    const struct object *object = &observed->objects[grown];
    const uint64_t whole = map->pitch ? round_up(map->bytes, map->pitch) : map->bytes;
    const uint64_t end = map->base + whole, new_end = map->base + map->new_bytes;
    const uint64_t move = round_up(new_end, SHARED_ALIGN) - round_up(end, SHARED_ALIGN);
    bool is_last = true;
    for (size_t i = 0; i < observed->object_count; i++) {
        if (i == grown || !is_shared_of(&observed->objects[i], object->kernel) ||
            observed->objects[i].base < end)
            continue;
        change->maps[i].move += (int64_t)move;
        is_last = false;
    }
    change->kernel = object->kernel;
    change->shared_growth += is_last ? new_end - end : move;
}

void change_place(struct change *change, const struct observed *observed)
{
    bool moves = false;
    for (size_t i = 0; i < change->map_count; i++) {
        struct array_map *map = &change->maps[i];
        const bool is_shared = observed->objects[i].space == SPACE_SHARED;
        size_map(map, !is_shared);
        change->shared_growth += map->kind == MAP_BLOCK_SUM ? round_up(map->pad, SHARED_ALIGN) : 0;
        if (is_shared && map->new_bytes > map->bytes)
            place_shared(change, observed, i);
        moves |= !is_shared && !map_keeps_bytes(map);
    }
    if (moves && all_can_move(observed))
        place_arrays(change, observed);
    else if (moves)
        place_behind(change, observed);
}

/* What a map's elements take, without the gaps between arrays. */
static uint64_t bytes_in_use(const struct array_map *map)
{
    uint64_t bytes = map->kind == MAP_FIELDS ? 0 : map->new_bytes;
    for (size_t i = 0; map->kind == MAP_FIELDS && i < map->field_count; i++)
        bytes += (map->bytes + map->pitch - 1) / map->pitch * map->fields[i].width;
    return bytes;
}

int64_t change_global_growth(const struct change *change, const struct observed *observed)
{
    int64_t growth = 0;
    for (size_t i = 0; i < change->map_count; i++)
        if (observed->objects[i].space != SPACE_SHARED)
            growth += (int64_t)(bytes_in_use(&change->maps[i]) - change->maps[i].bytes);
    return growth;
}

/* ---- Orders of blocks ------------------------------------------------------------------------ */

uint32_t order_diagonal(const struct launch_info *launch, uint32_t place)
{
    const uint32_t columns = launch->grid[0], rows = launch->grid[1], slice = columns * rows;
    const uint32_t in_slice = place % slice, y = in_slice % rows;
    const uint32_t x = (in_slice / rows + y) % columns;
    return place - in_slice + y * columns + x;
}

uint32_t order_columns(const struct launch_info *launch, uint32_t place)
{
    const uint32_t columns = launch->grid[0], rows = launch->grid[1], slice = columns * rows;
    const uint32_t in_slice = place % slice;
    return place - in_slice + in_slice % rows * columns + in_slice / rows;
}
