/* managed_change.h - a launch's managed arrays as a change leaves them: where they are, how many pages they have, what
 * was done to each page before the launch. */
#ifndef WARPLENS_ADVISE_MANAGED_CHANGE_H
#define WARPLENS_ADVISE_MANAGED_CHANGE_H

#include "advise/change.h"
#include "stream/managed_pages.h"

/* False when memory is short; managed_pages_free is due in any case. Page p of an array that gets longer or shorter has
 * what was done to the page that lay at the same part of its length. */
bool managed_pages_change(struct managed_pages *pages, const struct launch_info *launch,
                          const struct change *change, const struct observed *observed);

#endif
