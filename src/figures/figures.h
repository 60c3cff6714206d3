/* figures.h - the pictures of a report, each of which can be had alone: results -> SVG.
 *
 * A figure is one file and one row of the table in figures.c; pages, --picture, its help and its
 * messages are made from the table.
 */
#ifndef WARPLENS_FIGURES_FIGURES_H
#define WARPLENS_FIGURES_FIGURES_H

#include "result/result.h"
#include "svg/svg.h"

struct figure {
    const char *name;
    const char *title; /* a heading */
    const char *shows; /* a sentence: what can be seen, and how to read it */
    const char *basis; /* "exact", "modelled" or "approximate" */
    bool
        across; /* of one run under all its GPUs, results[0] to results[count - 1]; else of results[0] */
    bool (*has)(const struct result *results, size_t count); /* whether there is anything to see */
    void (*write)(const struct result *results, size_t count, enum svg_place place, FILE *out);
};

extern const struct figure figures[];
extern const size_t figure_count;

/* NULL: there is none of that name. */
const struct figure *figure_named(const char *name);

#endif
