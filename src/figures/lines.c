/* lines.c - lines of the source with what they need and what they take. */
#include "figures/lines.h"

#include <inttypes.h>
#include <string.h>

#include "figures/figure_frame.h"

enum { LINES_MAX = 40, ROW = 40, TOP = 30, BAR_LEFT = 470, BAR_WIDTH = 250, CODE_CHARS = 58 };

struct line_cost line_cost(const struct result_part *line)
{
    const struct report_amounts a = report_amounts(line->counters);
    if (a.passes)
        return (struct line_cost){"passes", a.passes, a.ideal_passes};
    return (struct line_cost){"sectors", a.sectors, a.ideal_sectors};
}

uint64_t line_most(const struct result *r, const char *unit)
{
    uint64_t most = 1;
    for (size_t i = 0; i < r->line_count; i++) {
        const struct line_cost cost = line_cost(&r->lines[i]);
        if (strcmp(cost.unit, unit) == 0 && cost.actual > most)
            most = cost.actual;
    }
    return most;
}

void line_bar(struct svg *svg, double x, double y, double width, double height,
              const struct result_part *line, uint64_t most)
{
    const struct line_cost cost = line_cost(line);
    const double scale = width / (double)most;
    const uint64_t ideal = cost.ideal < cost.actual ? cost.ideal : cost.actual;
    char actual[REPORT_NUMBER_BYTES], least[REPORT_NUMBER_BYTES], excess[REPORT_NUMBER_BYTES];
    char title[FIGURE_TEXT_BYTES];
    snprintf(title, sizeof title, "%s %s; a perfect layout: %s; excessive: %s",
             report_number(cost.actual, actual), cost.unit, report_number(cost.ideal, least),
             report_number(cost.actual - ideal, excess));
    svg_group(svg, NULL, title);
    svg_rect(svg, x, y, (double)ideal * scale, height, "ideal");
    if (cost.actual > ideal)
        svg_rect(svg, x + (double)ideal * scale, y, (double)(cost.actual - ideal) * scale, height,
                 "excess");
    svg_group_end(svg);
}

const char *line_words(const struct line_cost *cost, char text[LINE_WORDS_BYTES])
{
    if (cost->actual == cost->ideal)
        snprintf(text, LINE_WORDS_BYTES, "ideal");
    else if (cost->actual < cost->ideal)
        snprintf(text, LINE_WORDS_BYTES, "less than ideal");
    else
        snprintf(text, LINE_WORDS_BYTES, "%.3g x ideal",
                 (double)cost->actual / (double)cost->ideal);
    return text;
}

bool figure_lines_has(const struct result *results, size_t count)
{
    (void)count;
    return results->line_count != 0;
}

static void draw_line(struct svg *svg, const struct result *r, const struct result_part *line,
                      double y)
{
    char place[FIGURE_TEXT_BYTES], actual[REPORT_NUMBER_BYTES], words[LINE_WORDS_BYTES];
    const struct line_cost cost = line_cost(line);
    size_t length;
    const char *code = run_info_code(r->info, line->file, line->line, &length);
    svg_text(svg, 16, y + 13, SVG_START, "ink bold", "%s",
             figure_place(line->file, line->line, line->space, result_part_word(line), place));
    if (code)
        svg_text(svg, 16, y + 29, SVG_START, "soft mono", "%.*s",
                 (int)(length < CODE_CHARS ? length : CODE_CHARS), code);
    line_bar(svg, BAR_LEFT, y + 6, BAR_WIDTH, 14, line, line_most(r, cost.unit));
    svg_text(svg, BAR_LEFT + BAR_WIDTH + 14, y + 13, SVG_START, "ink", "%s %s",
             report_number(cost.actual, actual), cost.unit);
    svg_text(svg, BAR_LEFT + BAR_WIDTH + 14, y + 29, SVG_START,
             cost.actual > cost.ideal ? "alarm" : "fine", "%s", line_words(&cost, words));
}

void figure_lines_write(const struct result *results, size_t count, enum svg_place place, FILE *out)
{
    struct svg svg;
    const size_t shown = results->line_count < LINES_MAX ? results->line_count : LINES_MAX;
    (void)count;
    figure_begin(&svg, out, place, TOP + (double)shown * ROW + 8, results, "Lines of the source",
                 "What each line's accesses need and what they take.");
    svg_rect(&svg, BAR_LEFT, 4, 12, 12, "ideal");
    svg_text(&svg, BAR_LEFT + 18, 14, SVG_START, "soft", "a perfect layout");
    svg_rect(&svg, BAR_LEFT + 130, 4, 12, 12, "excess");
    svg_text(&svg, BAR_LEFT + 148, 14, SVG_START, "soft", "excessive");
    for (size_t i = 0; i < shown; i++)
        draw_line(&svg, results, &results->lines[i], TOP + (double)i * ROW);
    if (shown < results->line_count)
        svg_text(&svg, 16, 14, SVG_START, "soft", "the first %zu of %zu lines", shown,
                 results->line_count);
    figure_end(&svg);
}
