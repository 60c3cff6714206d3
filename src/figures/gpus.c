/* gpus.c - what tells GPUs apart: a small chart each. A chart whose figures are not there is left out. */
#include "figures/figure_frame.h"

enum { COLUMNS = 3, GAP = 36, HEAD = 26, PITCH = 22, BAR = 12, FOOT = 24, NAME = 78, VALUE = 96 };

struct chart {
    const char *title, *unit;
    const char *metric;                      /* of metrics.def */
    double (*value)(const struct result *r); /* instead */
    double full; /* what a bar of full length stands for; 0: the most of all */
};

static double peak_share(const struct result *r)
{
    const double peak = (double)r->arch.peak_megabytes_per_s / 1000;
    return peak > 0 ? 100 * report_metric(&r->total, "dram_bandwidth") / peak : 0;
}

static double sectors(const struct result *r)
{
    return (double)report_amounts(&r->total).sectors;
}

static double dram_bytes(const struct result *r)
{
    return 32e-6 * (double)(r->total.dram_read_sectors + r->total.dram_write_sectors);
}

static double transactions(const struct result *r)
{
    return (double)report_amounts(&r->total).transactions;
}

static const struct chart charts[] = {
    {"Time", "us", "time", NULL, 0},
    {"DRAM bandwidth, of peak", "%", NULL, peak_share, 100},
    {"Effective bandwidth", "GB/s", "effective_bandwidth", NULL, 0},
    {"Load efficiency", "%", "gld_efficiency", NULL, 100},
    {"Store efficiency", "%", "gst_efficiency", NULL, 100},
    {"Transactions", "", NULL, transactions, 0},
    {"Sectors of 32 bytes", "", NULL, sectors, 0},
    {"Bank conflicts", "ways", "shared_conflict_ways", NULL, 0},
    {"L1 hit rate", "%", "l1_hit_rate", NULL, 100},
    {"L2 hit rate", "%", "l2_hit_rate", NULL, 100},
    {"DRAM reads and writes", "MB", NULL, dram_bytes, 0},
    {"Camping index", "", "camping_index", NULL, 0},
    {"Achieved occupancy", "%", "achieved_occupancy", NULL, 100},
};
enum { CHARTS = sizeof charts / sizeof charts[0] };

static double value_of(const struct chart *chart, const struct result *r)
{
    return chart->value ? chart->value(r) : report_metric(&r->total, chart->metric);
}

/* The highest value under any GPU; 0: the chart has nothing to show. */
static double highest(const struct chart *chart, const struct result *results, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        if (value_of(chart, &results[i]) > most)
            most = value_of(chart, &results[i]);
    return most;
}

bool figure_gpus_has(const struct result *results, size_t count)
{
    (void)results;
    return count > 1;
}

static void put_value(struct svg *svg, double x, double y, const struct chart *chart, double value)
{
    char text[REPORT_NUMBER_BYTES];
    if (value >= 1000)
        report_amount(value + 0.5, text);
    else
        snprintf(text, sizeof text, "%.3g", value);
    svg_text(svg, x, y, SVG_START, "ink", "%s%s%s", text, chart->unit[0] ? " " : "", chart->unit);
}

static void draw_chart(struct svg *svg, const struct chart *chart, const struct result *results,
                       size_t count, double width)
{
    const double room = width - NAME - VALUE;
    const double most = highest(chart, results, count);
    const double full = chart->full > most ? chart->full : most;
    svg_text(svg, 0, 14, SVG_START, "ink bold", "%s", chart->title);
    for (size_t i = 0; i < count; i++) {
        const double value = value_of(chart, &results[i]), y = HEAD + (double)i * PITCH;
        svg_text(svg, NAME - 8, y + BAR - 1, SVG_END, "soft", "%s", results[i].gpu->name);
        if (value <= 0) {
            svg_text(svg, NAME, y + BAR - 1, SVG_START, "soft", "-");
            continue;
        }
        if (chart->full > 0)
            svg_rect(svg, NAME, y, room, BAR, "idle");
        svg_rect(svg, NAME, y, room * value / full, BAR, "actual");
        put_value(svg, NAME + (chart->full > 0 ? room : room * value / full) + 8, y + BAR - 1,
                  chart, value);
    }
}

void figure_gpus_write(const struct result *results, size_t count, enum svg_place place, FILE *out)
{
    struct svg svg;
    size_t shown[CHARTS], shown_count = 0;
    const double width = (FIGURE_WIDTH - GAP * (COLUMNS - 1.0)) / COLUMNS;
    const double height = HEAD + (double)count * PITCH + FOOT;
    for (size_t i = 0; i < CHARTS; i++)
        if (highest(&charts[i], results, count) > 0)
            shown[shown_count++] = i;
    const size_t rows = (shown_count + COLUMNS - 1) / COLUMNS;
    figure_begin_across(&svg, out, place, (double)rows * height - FOOT + 8, results, count,
                        "GPUs side by side",
                        "Times, efficiencies and hit rates of one kernel under several GPUs.");
    for (size_t i = 0; i < shown_count; i++) {
        svg_group_at(&svg, (double)(i % COLUMNS) * (width + GAP), (double)(i / COLUMNS) * height);
        draw_chart(&svg, &charts[shown[i]], results, count, width);
        svg_group_end(&svg);
    }
    figure_end(&svg);
}
