/* managed_pages.h - a launch's managed arrays, kept beyond the launch: what was done to each page before it. */
#ifndef WARPLENS_STREAM_MANAGED_PAGES_H
#define WARPLENS_STREAM_MANAGED_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/managed_range.h"

/* Ranges, with bits of pages that are their own. */
struct managed_pages {
    struct managed_range *ranges;
    size_t count;
};

/* Copies of ranges. False when memory is short; managed_pages_free is due in any case. */
bool managed_pages_copy(struct managed_pages *pages, const struct managed_range *ranges,
                        size_t count);

void managed_pages_free(struct managed_pages *pages);

#endif
