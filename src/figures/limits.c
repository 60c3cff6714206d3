/* limits.c - how busy each resource is over time; the longest to hold the kernel up first. */
#include "figures/figure_frame.h"

enum { LEFT = 150, RIGHT = 150, TOP = 34, PITCH = 22 };

bool figure_limits_has(const struct result *results, size_t count)
{
    (void)count;
    return results->usage && results->usage->count;
}

/* Whether a resource is worth a row: it held the kernel up, or had something to do. */
static bool is_seen(const struct usage *usage, const struct usage_window *whole,
                    const struct usage_limit *limit)
{
    const enum resource i = limit->resource;
    if (i == USE_PARTITION || i == USE_LATENCY || i == USE_HOST)
        return limit->share >= 0.01;
    return limit->share >= 0.01 ||
           100 * whole->busy[i] >= usage->capacity[i] * whole->ticks / 2 + 1;
}

/* The rows; how many there are. */
static size_t list_limits(const struct usage *usage, struct usage_limit limits[USE_COUNT])
{
    struct usage_window whole;
    size_t count = 0;
    usage_rank(usage, limits);
    usage_join(usage, 0, 1, &whole);
    for (size_t i = 0; i < USE_COUNT; i++)
        if (is_seen(usage, &whole, &limits[i]))
            limits[count++] = limits[i];
    return count;
}

static double busy_share(const struct usage *usage, const struct usage_window *window,
                         enum resource resource)
{
    uint64_t busy = window->busy[resource];
    if (resource == USE_LATENCY)
        return usage_limiter(usage, window) == USE_LATENCY;
    for (uint32_t p = 0; resource == USE_PARTITION && p < usage->partitions; p++)
        busy = window->partition[p] > busy ? window->partition[p] : busy;
    return report_share(busy, usage->capacity[resource] * window->ticks);
}

static void draw_limit(struct svg *svg, const struct usage *usage, const struct figure_map *map,
                       const struct usage_limit *limit)
{
    const char *classes[MAP_COLUMNS];
    const double base = map->y + 14;
    for (size_t i = 0; i < map->columns; i++) {
        struct usage_window window;
        usage_join(usage, i, map->columns, &window);
        const double share = busy_share(usage, &window, limit->resource);
        classes[i] =
            limit->resource == USE_LATENCY ? (share > 0 ? "hue4" : "heat0") : svg_heat(share);
    }
    const bool counts = limit->share >= 0.01;
    svg_text(svg, LEFT - 10, base, SVG_END, counts ? "ink bold" : "ink", "%s",
             limit->resource == USE_LATENCY ? "waiting (latency)" : usage_name(limit->resource));
    figure_map_row(svg, map, classes);
    if (counts)
        svg_text(svg, FIGURE_WIDTH - RIGHT + 12, base, SVG_START, "ink bold", "held up %.0f %%",
                 100 * limit->share);
}

void figure_limits_write(const struct result *results, size_t count, enum svg_place place,
                         FILE *out)
{
    struct svg svg;
    struct usage_limit limits[USE_COUNT];
    const struct usage *usage = results->usage;
    const size_t rows = list_limits(usage, limits);
    struct figure_map map = {LEFT, TOP, FIGURE_WIDTH - LEFT - RIGHT, PITCH - 2,
                             usage_parts(usage, MAP_COLUMNS)};
    (void)count;
    figure_begin(&svg, out, place, TOP + (double)rows * PITCH + 26, results,
                 "What holds the kernel up", "How busy each resource is over time.");
    figure_heat_scale(&svg, LEFT, 6, "idle", "busy all the time");
    for (size_t i = 0; i < rows; i++, map.y += PITCH)
        draw_limit(&svg, usage, &map, &limits[i]);
    figure_map_axis(&svg, &map, map.y + 4, results->total.elapsed_ns);
    figure_end(&svg);
}
