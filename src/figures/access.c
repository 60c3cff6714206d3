/* access.c - the costliest access of the line that wastes most. */
#include "explain/explain.h"
#include "figures/figure_frame.h"

static const struct observed_place *costliest(const struct result *r)
{
    const struct result_part *line = figure_costliest_line(r);
    return line ? figure_observed(r, line) : NULL;
}

bool figure_access_has(const struct result *results, size_t count)
{
    (void)count;
    return costliest(results) != NULL;
}

void figure_access_write(const struct result *results, size_t count, enum svg_place place,
                         FILE *out)
{
    const struct observed_place *of = costliest(results);
    (void)count;
    explain_access_svg(&of->worst[results->gpu_index].access.access, results->gpu, &results->arch,
                       place, out);
}
