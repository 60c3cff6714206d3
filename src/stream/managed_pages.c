/* managed_pages.c - bits of pages, copied. */
#include "stream/managed_pages.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

static bool copy_touched(struct managed_range *range)
{
    const uint64_t pages = managed_range_pages(range);
    if (range->touched == NULL || pages == 0)
        return true;
    uint8_t *touched = memory_take(pages, 1);
    if (touched)
        memcpy(touched, range->touched, pages);
    range->touched = touched;
    return touched != NULL;
}

bool managed_pages_copy(struct managed_pages *pages, const struct managed_range *ranges,
                        size_t count)
{
    bool fine = true;
    *pages = (struct managed_pages){.ranges = memory_take(count + 1, sizeof *pages->ranges)};
    for (size_t i = 0; fine && pages->ranges && i < count; i++) {
        pages->ranges[pages->count++] = ranges[i];
        fine = copy_touched(&pages->ranges[i]);
    }
    return fine && pages->ranges;
}

void managed_pages_free(struct managed_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        free((void *)pages->ranges[i].touched);
    free(pages->ranges);
    *pages = (struct managed_pages){0};
}
