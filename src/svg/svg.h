/* svg.h - drawing into an SVG document, element by element, with classes for colours.
 *
 * Lengths are in user units (CSS pixels), y grows downwards. Numbers are written with at most two
 * decimals. Text and titles are escaped here: callers hand over plain text, in UTF-8.
 *
 * Colours come from the classes of svg_style.def, so that one figure serves light and dark pages, print
 * and slides. A figure that stands alone carries the style sheet; within a page, the page does.
 * A `class` argument is one or several of those names with blanks between.
 */
#ifndef WARPLENS_SVG_SVG_H
#define WARPLENS_SVG_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct svg {
    FILE *out; /* the caller's; its errors are the caller's to check */
};

/* Where a figure goes: a file of its own, or into a page that has svg_style_page's rules. */
enum svg_place { SVG_ALONE, SVG_IN_PAGE };

/* Begins a picture of width x height. `title` is its name for screen readers and in the corner of the
 * pointer; `description` one or two sentences that say what can be seen, NULL for none. */
void svg_begin(struct svg *svg, FILE *out, enum svg_place place, double width, double height,
               const char *title, const char *description);
void svg_end(struct svg *svg);

/* A group, with a text that a pointer over it shows; title may be NULL. */
void svg_group(struct svg *svg, const char *class, const char *title);
/* The same, shifted. */
void svg_group_at(struct svg *svg, double x, double y);
void svg_group_end(struct svg *svg);

void svg_rect(struct svg *svg, double x, double y, double width, double height, const char *class);
/* With a text that a pointer over it shows. */
void svg_rect_titled(struct svg *svg, double x, double y, double width, double height,
                     const char *class, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
void svg_line(struct svg *svg, double x1, double y1, double x2, double y2, const char *class);
/* An S-shaped curve from a point down (or up) to another, vertical at both ends. */
void svg_link(struct svg *svg, double x1, double y1, double x2, double y2, const char *class);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* A line of text; (x, y) is on its base line, at its start, middle or end. */
void svg_text(struct svg *svg, double x, double y, enum svg_anchor anchor, const char *class,
              const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The classes, for tests and for the style sheets. */
struct svg_class {
    const char *name;
    const char *fill[2], *stroke[2]; /* light, dark: "#rrggbb", or "none" */
    const char *more;                /* further declarations, "" for none */
};
extern const struct svg_class svg_classes[];
extern const size_t svg_class_count;

/* The rules of all classes: in a figure of its own, dark where the reader's system is; in a page, as the
 * page's root says with data-theme="light" or "dark", and else as the system is. Print is light. */
void svg_style_alone(FILE *out);
void svg_style_page(FILE *out);

enum { SVG_HUES = 8, SVG_HEATS = 10 };
/* "hue0" to "hue7": pale fills that text can stand on, for things that are to be told apart. */
const char *svg_hue(unsigned index);
/* "heat0" to "heat9": from nothing to the most, for share 0 to 1. */
const char *svg_heat(double share);

#endif
