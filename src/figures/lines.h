/* lines.h - ideal and excess of a source line, as a bar. */
#ifndef WARPLENS_FIGURES_LINES_H
#define WARPLENS_FIGURES_LINES_H

#include "figures/figures.h"

/* What a line costs in the unit of its space. */
struct line_cost {
    const char *unit; /* "sectors", "passes" */
    uint64_t actual, ideal;
};
struct line_cost line_cost(const struct result_part *line);

/* The most that any line with such a unit costs: what a bar of full length stands for. */
uint64_t line_most(const struct result *r, const char *unit);

/* A bar of at most `width`, with all figures as a text under the pointer. */
void line_bar(struct svg *svg, double x, double y, double width, double height,
              const struct result_part *line, uint64_t most);

/* "8.0 x ideal", "ideal", "below ideal". */
enum { LINE_WORDS_BYTES = 48 };
const char *line_words(const struct line_cost *cost, char text[LINE_WORDS_BYTES]);

#endif
