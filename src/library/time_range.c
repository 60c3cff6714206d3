/* time_range.c - between which measured times are likely to be, for programs. */
#include "library/library.h"

#include <stdio.h>
#include <string.h>

#include "report/ranges.h"

static struct time_range range_of(const struct warplens_counts *counts)
{
    const struct result *r = &counts->run->results[counts->gpu];
    return counts->launch ? time_range_of_launch(r, &counts->launch->counters) : time_range_of(r);
}

static bool fail_at(const struct warplens_counts *counts, const char *why)
{
    char place[LIBRARY_PLACE_BYTES];
    return library_fail(counts->run, "%s on %s: the range of its time is unknown: %s",
                        library_place_text(counts, place),
                        warplens_gpu_name(counts->run, counts->gpu), why);
}

static void fill(struct warplens_time_range *range, const struct time_range *found)
{
    struct text t;
    *range = (struct warplens_time_range){.low_us = found->low_ns / 1000,
                                          .high_us = found->high_ns / 1000,
                                          .percent = TIME_RANGE_PERCENT};
    text_start(&t);
    if (found->cell) {
        range->launches = found->cell->launches;
        time_range_add_cell(found, &t);
    }
    snprintf(range->like, sizeof range->like, "%.95s", t.s);
}

bool warplens_get_time_range(const struct warplens_counts *counts,
                             struct warplens_time_range *range)
{
    if (counts == NULL || range == NULL)
        return false;
    if (counts->place == LIBRARY_LINE || counts->place == LIBRARY_ARRAY)
        return fail_at(counts, "launches and the whole run have times, not lines and arrays");
    const struct time_range found = range_of(counts);
    struct text t;
    text_start(&t);
    if (found.state != TIME_RANGE_KNOWN) {
        time_range_add_reason(&found, &t);
        return fail_at(counts, t.s);
    }
    fill(range, &found);
    return true;
}
