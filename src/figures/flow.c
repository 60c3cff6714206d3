/* flow.c - bytes between levels, SMs on the left and DRAM on the right: loads above, stores below. A level that
 * the GPU has not, or that nothing goes through, is left out. What SMs are sent and no lane asked for is
 * drawn as waste. */
#include "figures/figure_frame.h"
#include "sim/rules/sectors.h"

enum { LEVELS_MAX = 4, BOX = 92, BOX_TOP = 2, BOX_HEIGHT = 224, HEIGHT = 284, BAND_MAX = 64 };

/* A level, and what goes between it and the level to its left. */
struct level {
    const char *name;
    uint64_t up, down; /* bytes of loads and of stores */
    uint64_t used;     /* of `up`, bytes that lanes asked for; 0: not known */
    double hit_rate;   /* below 0: it is no cache */
};

static uint64_t loaded_by_rule(const struct counters *c)
{
    return c->global_load_bytes_moved +
           SECTOR_BYTES * (c->read_only_load_sectors + c->local_load_sectors);
}

static uint64_t stored_by_rule(const struct counters *c)
{
    return c->global_store_bytes_moved + c->global_atomic_bytes_moved +
           SECTOR_BYTES * c->local_store_sectors;
}

static double rate(uint64_t hits, uint64_t lookups)
{
    return lookups ? (double)hits / (double)lookups : -1;
}

/* The levels beyond the SMs; returns how many. */
static size_t list_levels(const struct counters *c, struct level levels[LEVELS_MAX])
{
    size_t count = 0;
    const uint64_t lookups = c->l1_lookup_sectors + c->read_only_lookup_sectors;
    const bool has_l2 = c->l2_read_sectors + c->l2_write_sectors + c->l2_atomic_sectors != 0;
    const uint64_t plain = c->read_only_load_sectors + c->local_load_sectors;
    if (lookups)
        levels[count++] = (struct level){
            "L1", loaded_by_rule(c), stored_by_rule(c), plain ? 0 : c->global_load_bytes_used,
            rate(c->l1_hit_sectors + c->read_only_hit_sectors, lookups)};
    const uint64_t used = count || plain ? 0 : c->global_load_bytes_used;
    if (has_l2)
        levels[count++] = (struct level){"L2", c->crossbar_read_bytes, c->crossbar_write_bytes,
                                         used, rate(c->l2_read_hit_sectors, c->l2_read_sectors)};
    levels[count] = (struct level){"DRAM", SECTOR_BYTES * c->dram_read_sectors,
                                   SECTOR_BYTES * c->dram_write_sectors, count ? 0 : used, -1};
    return count + 1;
}

bool figure_flow_has(const struct result *results, size_t count)
{
    const struct counters *c = &results->total;
    (void)count;
    return results->usage && c->crossbar_read_bytes + c->crossbar_write_bytes != 0;
}

static void draw_box(struct svg *svg, double x, const char *name, double hit_rate)
{
    svg_rect(svg, x, BOX_TOP, BOX, BOX_HEIGHT, "hue0");
    svg_text(svg, x + BOX / 2.0, BOX_TOP + BOX_HEIGHT / 2.0, SVG_MIDDLE, "ink large bold", "%s",
             name);
    if (hit_rate >= 0)
        svg_text(svg, x + BOX / 2.0, BOX_TOP + BOX_HEIGHT / 2.0 + 20, SVG_MIDDLE, "ink",
                 "%.3g %% hits", 100 * hit_rate);
}

/* A band of `bytes` with its middle at y; `used` of them are used. */
static void draw_band(struct svg *svg, double x, double width, double y, uint64_t bytes,
                      uint64_t used, uint64_t most, bool up)
{
    char short_text[REPORT_NUMBER_BYTES], exact[REPORT_NUMBER_BYTES];
    const double wanted = BAND_MAX * report_share(bytes, most);
    const double height = bytes && wanted < 1.5 ? 1.5 : wanted;
    const bool splits = up && used && used < bytes;
    const double green = splits ? height * report_share(used, bytes) : height;
    if (bytes == 0)
        svg_line(svg, x, y, x + width, y, "grid");
    else
        svg_rect_titled(svg, x, y - height / 2, width, green, up ? "ideal" : "actual",
                        "%s bytes %s", report_number(splits ? used : bytes, exact),
                        splits ? "that lanes asked for"
                        : up   ? "of loads"
                               : "of stores");
    if (splits)
        svg_rect_titled(svg, x, y - height / 2 + green, width, height - green, "excess",
                        "%s bytes that no lane asked for", report_number(bytes - used, exact));
    svg_text(svg, x + width / 2, y - height / 2 - 7, SVG_MIDDLE, "ink", "%s%s%s",
             up ? "\xe2\x86\x90 " : "", report_bytes((double)bytes, short_text),
             up ? "" : " \xe2\x86\x92");
}

static void draw_legend(struct svg *svg, bool splits)
{
    static const char *const keys[][2] = {{"ideal", "loads"},
                                          {"actual", "stores and atomics"},
                                          {"excess", "loaded, and no lane asked for it"}};
    double x = 0;
    for (int i = 0; i < (splits ? 3 : 2); i++) {
        svg_rect(svg, x, HEIGHT - 28, 12, 12, keys[i][0]);
        svg_text(svg, x + 18, HEIGHT - 18, SVG_START, "soft", "%s", keys[i][1]);
        x += i == 0 ? 80 : 170;
    }
}

void figure_flow_write(const struct result *results, size_t count, enum svg_place place, FILE *out)
{
    struct svg svg;
    struct level levels[LEVELS_MAX];
    const size_t levels_count = list_levels(&results->total, levels);
    const double band =
        (FIGURE_WIDTH - 2.0 - BOX * (double)(levels_count + 1)) / (double)levels_count;
    uint64_t most = 1;
    (void)count;
    for (size_t i = 0; i < levels_count; i++) {
        most = levels[i].up > most ? levels[i].up : most;
        most = levels[i].down > most ? levels[i].down : most;
    }
    figure_begin(&svg, out, place, HEIGHT - 8, results, "Where bytes go",
                 "Bytes between SMs, caches and DRAM; bands are as wide as the bytes are many.");

    draw_box(&svg, 1, "SMs", -1);
    for (size_t i = 0; i < levels_count; i++) {
        const double x = 1 + BOX + (double)i * (BOX + band);
        draw_band(&svg, x + 4, band - 8, BOX_TOP + 66, levels[i].up, levels[i].used, most, true);
        draw_band(&svg, x + 4, band - 8, BOX_TOP + 166, levels[i].down, 0, most, false);
        draw_box(&svg, x + band, levels[i].name, levels[i].hit_rate);
    }
    draw_legend(&svg, levels[0].used && levels[0].used < levels[0].up);
    figure_end(&svg);
}
