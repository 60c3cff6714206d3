/* managed_change.c - bits of pages, stretched. */
#include "advise/managed_change.h"

#include <stdlib.h>

#include "text/memory.h"

/* The map of the array that a range is; one that keeps everything where none is known. */
static const struct array_map *map_of(const struct managed_range *range,
                                      const struct change *change, const struct observed *observed)
{
    static const struct array_map keep = {0};
    for (size_t i = 0; i < observed->object_count; i++) {
        const struct object *object = &observed->objects[i];
        if (object->is_known && object->base == range->address && object->bytes == range->bytes)
            return &change->maps[i];
    }
    return &keep;
}

/* Bits for each page of `to`, taken from `from`'s, and `more`. NULL, which says that nothing was done, is
 * fine where that is so. */
static bool fill_touched(struct managed_range *to, const struct managed_range *from, uint8_t more)
{
    const uint64_t pages = managed_range_pages(to), from_pages = managed_range_pages(from);
    to->touched = NULL;
    if ((from->touched == NULL && more == 0) || pages == 0 || from_pages == 0)
        return true;
    uint8_t *touched = memory_take(1, pages);
    for (uint64_t page = 0; touched && page < pages; page++)
        touched[page] =
            (uint8_t)((from->touched ? from->touched[page * from_pages / pages] : 0) | more);
    to->touched = touched;
    return touched != NULL;
}

static bool add_range(struct managed_pages *pages, const struct managed_range *from,
                      const struct array_map *map)
{
    struct managed_range *to = &pages->ranges[pages->count++];
    *to = *from;
    to->address += (uint64_t)map->move;
    if (!map_keeps_bytes(map))
        to->bytes = map->new_bytes;
    return fill_touched(to, from, map->kind == MAP_PREFETCH ? MANAGED_PREFETCHED : 0);
}

bool managed_pages_change(struct managed_pages *pages, const struct launch_info *launch,
                          const struct change *change, const struct observed *observed)
{
    bool fine = true;
    *pages = (struct managed_pages){
        .ranges = memory_take(launch->managed_count + 1, sizeof *pages->ranges)};
    for (size_t i = 0; fine && pages->ranges && i < launch->managed_count; i++)
        fine = add_range(pages, &launch->managed[i], map_of(&launch->managed[i], change, observed));
    return fine && pages->ranges;
}
