/* arrays.c - bytes that lanes want of each array, and bytes that move for it. */
#include "figures/arrays.h"

#include "figures/figure_frame.h"

enum { ARRAYS_MAX = 20, ROW = 30, TOP = 30, LEFT = 120, WIDTH = 640 };

struct array_bytes array_bytes(const struct counters *c)
{
    return (struct array_bytes){
        .used =
            c->global_load_bytes_used + c->global_store_bytes_used + c->global_atomic_bytes_used,
        .moved =
            c->global_load_bytes_moved + c->global_store_bytes_moved + c->global_atomic_bytes_moved,
    };
}

static size_t list_arrays(const struct result *r, const struct result_part *list[ARRAYS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < r->array_count && count < ARRAYS_MAX; i++)
        if (array_bytes(r->arrays[i].counters).moved)
            list[count++] = &r->arrays[i];
    return count;
}

bool figure_arrays_has(const struct result *results, size_t count)
{
    const struct result_part *list[ARRAYS_MAX];
    (void)count;
    return list_arrays(results, list) != 0;
}

static void draw_array(struct svg *svg, const struct result_part *array, uint64_t most, double y)
{
    const struct array_bytes bytes = array_bytes(array->counters);
    const double width = WIDTH * report_share(bytes.moved, most);
    const double share = report_share(bytes.used, bytes.moved), green = share < 1 ? share : 1;
    char used[REPORT_NUMBER_BYTES], moved[REPORT_NUMBER_BYTES];
    svg_text(svg, LEFT - 12, y + 12, SVG_END, "ink bold mono", "%s",
             array->array[0] ? array->array : "no name");
    svg_rect_titled(svg, LEFT, y, width * green, 14, "ideal", "%s bytes used",
                    report_number(bytes.used, used));
    svg_rect_titled(svg, LEFT + width * green, y, width * (1 - green), 14, "excess",
                    "%s bytes moved in all", report_number(bytes.moved, moved));
    svg_text(svg, LEFT + width + 12, y + 12, SVG_START, share < 0.8 ? "alarm" : "fine",
             "%.3g %% of %s", 100 * share, report_bytes((double)bytes.moved, moved));
}

void figure_arrays_write(const struct result *results, size_t count, enum svg_place place,
                         FILE *out)
{
    struct svg svg;
    const struct result_part *list[ARRAYS_MAX];
    const size_t shown = list_arrays(results, list);
    uint64_t most = 1;
    (void)count;
    for (size_t i = 0; i < shown; i++) {
        const uint64_t moved = array_bytes(list[i]->counters).moved;
        most = moved > most ? moved : most;
    }
    figure_begin(&svg, out, place, TOP + (double)shown * ROW, results, "Arrays",
                 "Bytes used of bytes moved, by array.");
    svg_rect(&svg, LEFT, 4, 12, 12, "ideal");
    svg_text(&svg, LEFT + 18, 14, SVG_START, "soft", "bytes used");
    svg_rect(&svg, LEFT + 110, 4, 12, 12, "excess");
    svg_text(&svg, LEFT + 128, 14, SVG_START, "soft", "moved, and not used");
    for (size_t i = 0; i < shown; i++)
        draw_array(&svg, list[i], most, TOP + (double)i * ROW);
    figure_end(&svg);
}
