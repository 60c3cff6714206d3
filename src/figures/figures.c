/* figures.c - the table of figures, in the order in which pages show them. */
#include "figures/figures.h"

#include <string.h>

#include "figures/figure_frame.h"

#define DRAWN_BY(name) .has = figure_##name##_has, .write = figure_##name##_write

const struct figure figures[] = {
    {.name = "lines",
     .title = "Lines of the source",
     .shows =
         "For every line that accesses memory: what a perfect layout would need (green) and what "
         "comes on top of it (orange).",
     .basis = "exact",
     DRAWN_BY(lines)},
    {.name = "arrays",
     .title = "Arrays",
     .shows =
         "For every array in global memory: the bytes that lanes want (green), and what moves with "
         "them and is not used (orange).",
     .basis = "exact",
     DRAWN_BY(arrays)},
    {.name = "elements",
     .title = "Elements of arrays",
     .shows =
         "Which bytes of an array's elements the kernel touches. Bytes that it never touches are "
         "fetched with their neighbours all the same.",
     .basis = "exact",
     DRAWN_BY(elements)},
    {.name = "access",
     .title = "The costliest access",
     .shows = "The lanes of one warp and the memory segments or banks that serve them, for the "
              "line that wastes most.",
     .basis = "exact",
     DRAWN_BY(access)},
    {.name = "banks",
     .title = "Banks of shared memory",
     .shows =
         "Left: the words that all accesses together want of each bank. Middle: the costliest "
         "access; each word of a bank takes a pass of its own, unless lanes share it. Right: how "
         "many passes accesses take, as a multiple of what they would take without conflicts.",
     .basis = "exact",
     DRAWN_BY(banks)},
    {.name = "partitions",
     .title = "DRAM partitions over time",
     .shows = "The bytes that each partition moves. When few rows are dark and the others empty, "
              "traffic camps on some partitions while the others have nothing to do.",
     .basis = "modelled",
     DRAWN_BY(partitions)},
    {.name = "flow",
     .title = "Where bytes go",
     .shows = "Bytes between the SMs, the caches and DRAM: bands as wide as the bytes are many. "
              "Loads come from the right to the SMs, stores leave to the right.",
     .basis = "modelled",
     DRAWN_BY(flow)},
    {.name = "limits",
     .title = "What holds the kernel up",
     .shows = "How busy each resource is over time, and for which share of the time it was what "
              "held the kernel up.",
     .basis = "approximate",
     DRAWN_BY(limits)},
    {.name = "timeline",
     .title = "One block's warps over time",
     .shows = "A row a warp: the thick bar is what it does or waits for, the thin one below it "
              "where its accesses are.",
     .basis = "approximate",
     DRAWN_BY(timeline)},
    {.name = "gpus",
     .title = "GPUs side by side",
     .shows = "The same run under each GPU.",
     .basis = "exact for efficiencies and bank conflicts, modelled for hit rates and DRAM bytes, "
              "approximate for times and bandwidths",
     .across = true,
     DRAWN_BY(gpus)},
};
const size_t figure_count = sizeof figures / sizeof figures[0];

const struct figure *figure_named(const char *name)
{
    for (size_t i = 0; i < figure_count; i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}
