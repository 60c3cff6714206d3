/* explain_svg_panels.h - what the files of the pictures share. Internal to explain.
 *
 * A picture is FIGURE_WIDTH wide. Lanes stand in a row at the top, in panels: lanes that go to memory
 * together, such as half-warps, are a panel. What the lanes of a panel get lies below it.
 */
#ifndef WARPLENS_EXPLAIN_EXPLAIN_SVG_PANELS_H
#define WARPLENS_EXPLAIN_EXPLAIN_SVG_PANELS_H

#include "explain/explained.h"
#include "svg/svg.h"

enum {
    FIGURE_MARGIN = 16,
    FIGURE_CONTENT = 720,
    FIGURE_WIDTH = FIGURE_CONTENT + 2 * FIGURE_MARGIN,
    LANES_CAPTION = 16, /* above the lanes */
    LANE_HEIGHT = 20,
    LINKS_HEIGHT = 64, /* between the lanes and what they get */
    SMALL_CHAR = 6,    /* room of a character of class "small", rather too much than too little */
};

struct panels {
    unsigned count, lanes; /* panels, lanes of each */
    double gap, pitch;     /* between panels; from lane to lane */
};

struct panels panels_make(unsigned lanes);
double panels_left(const struct panels *p, unsigned panel);
double panels_width(const struct panels *p);
uint32_t panels_lanes(const struct panels *p, unsigned panel);
/* The middle of a lane. */
double panels_lane(const struct panels *p, unsigned lane);

/* Captions and lanes from y on, LANES_CAPTION + LANE_HEIGHT high. `class`: of each active lane. */
void lanes_put(struct svg *svg, const struct explained *x, const struct panels *p, double y,
               const char *const class[WARP_LANES]);

/* What is below the lanes, by path: its height with them, and the drawing. */
struct figure_body {
    double (*height)(const struct explained *x);
    void (*draw)(struct svg *svg, const struct explained *x, double y);
};
extern const struct figure_body figure_memory, figure_banks, figure_constant, figure_copy;

/* Rows of shared memory, whose columns are the banks: their height, and the drawing. */
double rows_height(const struct explained *x);
void rows_put(struct svg *svg, const struct explained *x, double left, double width, double y);

/* One entry of a legend: a swatch of a class and what it means; returns where the next one begins. */
double legend_put(struct svg *svg, double x, double y, const char *class, const char *text);

#endif
