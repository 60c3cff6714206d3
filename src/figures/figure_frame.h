/* figure_frame.h - what figures share: a frame with a heading, short numbers, names of places. */
#ifndef WARPLENS_FIGURES_FIGURE_FRAME_H
#define WARPLENS_FIGURES_FIGURE_FRAME_H

#include "figures/figures.h"
#include "result/observation.h"
#include "report/amounts.h"
#include "report/report.h"

enum { FIGURE_WIDTH = 960, FIGURE_TEXT_BYTES = 192 };

/* Begins a figure of FIGURE_WIDTH; one that stands alone gets a heading, which is part of no `height`. */
void figure_begin(struct svg *svg, FILE *out, enum svg_place place, double height,
                  const struct result *r, const char *title, const char *description);
/* The same for one that shows several results. */
void figure_begin_across(struct svg *svg, FILE *out, enum svg_place place, double height,
                         const struct result *results, size_t count, const char *title,
                         const char *description);
void figure_end(struct svg *svg);

/* "stores of transpose.c:91", "shared loads of reduce.c:12". `word`: enum access_word. */
const char *figure_place(const char *file, uint32_t line, uint8_t space, uint8_t word,
                         char text[FIGURE_TEXT_BYTES]);

/* The observed place of a line, and the costliest of all under a GPU: the one with most sectors or passes beyond
 * the ideal ones. NULL when there is none. */
const struct observed_place *figure_observed(const struct result *r,
                                             const struct result_part *line);
const struct result_part *figure_costliest_line(const struct result *r);

/* A map of time: `columns` cells from x on. Neighbours of one class are one rectangle. */
enum { MAP_COLUMNS = 48 };
struct figure_map {
    double x, y, width, height; /* of a row */
    size_t columns;
};
void figure_map_row(struct svg *svg, const struct figure_map *map, const char *const *classes);
/* "0 us" to the kernel's time, below the rows; a scale of heat. */
void figure_map_axis(struct svg *svg, const struct figure_map *map, double y, uint64_t ns);
void figure_heat_scale(struct svg *svg, double x, double y, const char *least, const char *most);

/* Bits of the table's rows. */
#define DECLARE_FIGURE(name)                                                                       \
    bool figure_##name##_has(const struct result *results, size_t count);                          \
    void figure_##name##_write(const struct result *results, size_t count, enum svg_place place,   \
                               FILE *out);
DECLARE_FIGURE(lines)
DECLARE_FIGURE(arrays)
DECLARE_FIGURE(elements)
DECLARE_FIGURE(access)
DECLARE_FIGURE(banks)
DECLARE_FIGURE(partitions)
DECLARE_FIGURE(limits)
DECLARE_FIGURE(flow)
DECLARE_FIGURE(timeline)
DECLARE_FIGURE(gpus)

#endif
