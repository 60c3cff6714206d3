/* managed_pages.h - a launch's managed arrays, kept, and as a change leaves them: where they are, how many
 * pages they have, what was done to each page before the launch. */
#ifndef WARPLENS_ADVISE_MANAGED_PAGES_H
#define WARPLENS_ADVISE_MANAGED_PAGES_H

#include "advise/change.h"
#include "stream/managed_range.h"

/* Ranges, with bits of pages that are their own. */
struct managed_pages {
    struct managed_range *ranges;
    size_t count;
};

/* Copies of ranges. False when memory is short; managed_pages_free is due in any case. */
bool managed_pages_copy(struct managed_pages *pages, const struct managed_range *ranges,
                        size_t count);

/* The same as the change leaves them. Page p of an array that gets longer or shorter has what was done to
 * the page that lay at the same part of its length. */
bool managed_pages_change(struct managed_pages *pages, const struct launch_info *launch,
                          const struct change *change, const struct observed *observed);

void managed_pages_free(struct managed_pages *pages);

#endif
