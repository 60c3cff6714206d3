/* figure_frame.c - frames, numbers, names, maps of time. */
#include "figures/figure_frame.h"

#include <string.h>

enum { HEADING = 48, MARGIN = 16, SCALE_CELL = 14 };

/* `on`: under what the kernel has run. */
static void begin(struct svg *svg, FILE *out, enum svg_place place, double height,
                  const char *kernel, const char *on, const char *title, const char *description)
{
    const bool alone = place == SVG_ALONE;
    const double width = FIGURE_WIDTH + (alone ? 2 * MARGIN : 0);
    char name[FIGURE_TEXT_BYTES];
    snprintf(name, sizeof name, "%s: %s on %s", title, kernel, on);
    svg_begin(svg, out, place, width, height + (alone ? HEADING + MARGIN : 0), name, description);
    if (alone) {
        svg_text(svg, MARGIN, 30, SVG_START, "ink large bold", "%s", title);
        svg_text(svg, width - MARGIN, 30, SVG_END, "soft", "%s on %s", kernel, on);
    }
    svg_group_at(svg, alone ? MARGIN : 0, alone ? HEADING : 0);
}

void figure_begin(struct svg *svg, FILE *out, enum svg_place place, double height,
                  const struct result *r, const char *title, const char *description)
{
    begin(svg, out, place, height, r->info->kernel, r->gpu->title, title, description);
}

void figure_begin_across(struct svg *svg, FILE *out, enum svg_place place, double height,
                         const struct result *results, size_t count, const char *title,
                         const char *description)
{
    char on[FIGURE_TEXT_BYTES];
    snprintf(on, sizeof on, "%zu GPUs", count);
    begin(svg, out, place, height, results->info->kernel, on, title, description);
}

void figure_end(struct svg *svg)
{
    svg_group_end(svg);
    svg_end(svg);
}

const char *figure_place(const char *file, uint32_t line, uint8_t space, uint8_t word,
                         char text[FIGURE_TEXT_BYTES])
{
    const bool global = space == SPACE_GLOBAL;
    snprintf(text, FIGURE_TEXT_BYTES, "%s%s%s of %s:%u", global ? "" : mem_space_names[space],
             global ? "" : " ", mem_op_plurals[word], file, line);
    return text;
}

const struct observed_place *figure_observed(const struct result *r, const struct result_part *line)
{
    const struct observation *seen = r->info->observed;
    for (size_t i = 0; seen && i < seen->place_count; i++) {
        const struct observed_place *place = &seen->places[i];
        if (place->line == line->line && place->space == line->space && place->op == line->op &&
            strcmp(place->file, line->file) == 0)
            return place;
    }
    return NULL;
}

/* What a line costs beyond the ideal; 0 where a transaction serves more than it should need. */
static uint64_t waste_of(const struct counters *c)
{
    const struct report_amounts a = report_amounts(c);
    return (a.sectors > a.ideal_sectors ? a.sectors - a.ideal_sectors : 0) +
           (a.passes > a.ideal_passes ? a.passes - a.ideal_passes : 0);
}

const struct result_part *figure_costliest_line(const struct result *r)
{
    const struct result_part *most = NULL;
    for (size_t i = 0; i < r->line_count; i++)
        if (most == NULL || waste_of(r->lines[i].counters) > waste_of(most->counters))
            most = &r->lines[i];
    return most;
}

void figure_map_row(struct svg *svg, const struct figure_map *map, const char *const *classes)
{
    for (size_t first = 0, end; first < map->columns; first = end) {
        for (end = first + 1; end < map->columns && classes[end] == classes[first];)
            end++;
        const double left = map->width * (double)first / (double)map->columns;
        const double right = map->width * (double)end / (double)map->columns;
        svg_rect(svg, map->x + left, map->y, right - left, map->height, classes[first]);
    }
}

void figure_map_axis(struct svg *svg, const struct figure_map *map, double y, uint64_t ns)
{
    char text[REPORT_NUMBER_BYTES];
    svg_line(svg, map->x, y, map->x + map->width, y, "axis");
    svg_text(svg, map->x, y + 16, SVG_START, "soft", "0");
    svg_text(svg, map->x + map->width, y + 16, SVG_END, "soft", "%s",
             report_time((double)ns, text));
    svg_text(svg, map->x + map->width / 2, y + 16, SVG_MIDDLE, "soft", "time");
}

void figure_heat_scale(struct svg *svg, double x, double y, const char *least, const char *most)
{
    svg_text(svg, x, y + 10, SVG_START, "soft", "%s", least);
    const double left = x + 8 + 6.5 * (double)strlen(least);
    for (int i = 0; i < SVG_HEATS; i++)
        svg_rect(svg, left + i * SCALE_CELL, y, SCALE_CELL, 12,
                 svg_heat(i == 0 ? 0 : (i - 0.5) / (SVG_HEATS - 1)));
    svg_text(svg, left + SVG_HEATS * SCALE_CELL + 8, y + 10, SVG_START, "soft", "%s", most);
}
