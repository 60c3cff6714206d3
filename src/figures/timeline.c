/* timeline.c - what the warps of one block do when: report/figure_timeline.c draws it. */
#include "report/figure_timeline.h"

#include "figures/figure_frame.h"

bool figure_timeline_has(const struct result *results, size_t count)
{
    (void)count;
    return results->timeline != NULL;
}

void figure_timeline_write(const struct result *results, size_t count, enum svg_place place,
                           FILE *out)
{
    (void)count;
    figure_timeline(results, place, out);
}
