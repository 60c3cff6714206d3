/* partitions.c - DRAM partitions over time. Where there are more than ROWS_MAX of them, a row is the
 * hottest one of some neighbours, so that a hot partition never fades among cold ones. */
#include <stdlib.h>

#include "figures/figure_frame.h"

enum {
    ROWS_MAX = 16,
    LEFT = 120,
    RIGHT = 130,
    TOP = 46,
    CAMPERS_MAX = 40,
    CAMPERS_SHOWN = 4,
    CAMPER_HEIGHT = 20
};

bool figure_partitions_has(const struct result *results, size_t count)
{
    (void)count;
    return results->usage && results->usage->partitions > 1 && results->usage->count &&
           results->total.hottest_partition_bytes;
}

/* Row `row` is the partitions [first, end). */
struct row {
    uint32_t first, end;
};

static struct row row_of(const struct usage *usage, uint32_t row, uint32_t rows)
{
    return (struct row){row * usage->partitions / rows, (row + 1) * usage->partitions / rows};
}

static uint64_t row_bytes(const struct usage_window *window, struct row row)
{
    uint64_t most = 0;
    for (uint32_t p = row.first; p < row.end; p++)
        most = window->bytes[p] > most ? window->bytes[p] : most;
    return most;
}

static void draw_row(struct svg *svg, const struct usage_window *windows,
                     const struct figure_map *map, struct row row, uint64_t most)
{
    const char *classes[MAP_COLUMNS];
    for (size_t i = 0; i < map->columns; i++)
        classes[i] = svg_heat(report_share(row_bytes(&windows[i], row), most));
    figure_map_row(svg, map, classes);
}

static void draw_labels(struct svg *svg, const struct usage_window *whole,
                        const struct figure_map *map, struct row row)
{
    uint64_t busy = 0;
    for (uint32_t p = row.first; p < row.end; p++)
        busy = whole->partition[p] > busy ? whole->partition[p] : busy;
    const double base = map->y + map->height / 2 + 4;
    if (row.end - row.first == 1)
        svg_text(svg, LEFT - 10, base, SVG_END, "ink", "partition %u", row.first);
    else
        svg_text(svg, LEFT - 10, base, SVG_END, "ink", "%u to %u", row.first, row.end - 1);
    svg_text(svg, FIGURE_WIDTH - RIGHT + 12, base, SVG_START, "soft", "busy %.0f %%",
             100 * report_share(busy, whole->ticks));
}

static void draw_map(struct svg *svg, const struct result *r, struct figure_map map, uint32_t rows,
                     double pitch)
{
    static _Thread_local struct usage_window windows[MAP_COLUMNS];
    struct usage_window whole;
    const struct usage *usage = r->usage;
    uint64_t most = 1;
    usage_join(usage, 0, 1, &whole);
    for (size_t i = 0; i < map.columns; i++) {
        usage_join(usage, i, map.columns, &windows[i]);
        const uint64_t bytes = row_bytes(&windows[i], (struct row){0, usage->partitions});
        most = bytes > most ? bytes : most;
    }
    for (uint32_t i = 0; i < rows; i++, map.y += pitch) {
        char title[FIGURE_TEXT_BYTES], bytes[REPORT_NUMBER_BYTES];
        const struct row row = row_of(usage, i, rows);
        snprintf(title, sizeof title, "partition %u%s: %s bytes in all", row.first,
                 row.end - row.first > 1 ? " and its neighbours, the hottest" : "",
                 report_number(row_bytes(&whole, row), bytes));
        svg_group(svg, NULL, title);
        draw_row(svg, windows, &map, row, most);
        svg_group_end(svg);
        draw_labels(svg, &whole, &map, row);
    }
    figure_map_axis(svg, &map, map.y + 4, r->total.elapsed_ns);
}

static int compare_camped(const void *a, const void *b)
{
    const struct result_part *x = *(const struct result_part *const *)a;
    const struct result_part *y = *(const struct result_part *const *)b;
    const uint64_t left = x->counters->camped_bytes, right = y->counters->camped_bytes;
    if (left != right)
        return left < right ? 1 : -1;
    return (x->array != NULL) - (y->array != NULL); /* lines before arrays */
}

/* Lines and arrays with a twentieth of the bytes on hot partitions or more, those with most first. */
static size_t list_campers(const struct result *r, const struct result_part *campers[CAMPERS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < r->line_count + r->array_count && count < CAMPERS_MAX; i++) {
        const struct result_part *part =
            i < r->line_count ? &r->lines[i] : &r->arrays[i - r->line_count];
        if (part->counters->camped_bytes &&
            part->counters->camped_bytes * 20 >= r->total.camped_bytes)
            campers[count++] = part;
    }
    qsort(campers, count, sizeof(const struct result_part *), compare_camped);
    return count < CAMPERS_SHOWN ? count : CAMPERS_SHOWN;
}

static void draw_campers(struct svg *svg, const struct result *r,
                         const struct result_part *const *campers, size_t count, double y)
{
    for (size_t i = 0; i < count; i++) {
        char text[FIGURE_TEXT_BYTES];
        const struct result_part *part = campers[i];
        if (part->array)
            snprintf(text, sizeof text, "array %s",
                     part->array[0] ? part->array : "without a name");
        else
            figure_place(part->file, part->line, part->space, result_part_word(part), text);
        svg_text(svg, LEFT, y + (double)i * CAMPER_HEIGHT, SVG_START, "alarm",
                 "%.0f %% of the bytes on a hot partition: %s",
                 100 * report_share(part->counters->camped_bytes, r->total.camped_bytes), text);
    }
}

void figure_partitions_write(const struct result *results, size_t count, enum svg_place place,
                             FILE *out)
{
    struct svg svg;
    const struct usage *usage = results->usage;
    const struct result_part *campers[CAMPERS_MAX];
    const uint32_t rows = usage->partitions < ROWS_MAX ? usage->partitions : ROWS_MAX;
    const double pitch = rows <= 8 ? 22 : 18;
    const double index = report_metric(&results->total, "camping_index");
    const size_t camper_count = index >= 1.5 ? list_campers(results, campers) : 0;
    const double below = TOP + rows * pitch + 34;
    const struct figure_map map = {LEFT, TOP, FIGURE_WIDTH - LEFT - RIGHT, pitch - 2,
                                   usage_parts(usage, MAP_COLUMNS)};
    (void)count;
    figure_begin(&svg, out, place, below + (double)camper_count * CAMPER_HEIGHT, results,
                 "DRAM partitions over time", "Bytes of each DRAM partition over time.");
    svg_text(&svg, LEFT, 16, SVG_START, "ink bold", "Camping index %.2f", index);
    svg_text(&svg, LEFT, 34, SVG_START, "soft",
             "the hottest partition over the average one: 1 is even, %u is all on one%s",
             usage->partitions, index < 1.2 ? "; nothing camps here" : "");
    figure_heat_scale(&svg, FIGURE_WIDTH - RIGHT - 250, 6, "no bytes", "most");
    draw_map(&svg, results, map, rows, pitch);
    draw_campers(&svg, results, campers, camper_count, below + 8);
    figure_end(&svg);
}
