/* banks.c - each place that accesses shared memory: words by bank, accesses by ways. Those with most
 * passes first, PLACES_MAX of them. */
#include <inttypes.h>

#include "figures/figure_frame.h"

enum {
    PLACES_MAX = 6,
    ROW = 156,
    CHART_TOP = 44,
    CHART_HEIGHT = 72,
    CHART_WIDTH = 288,
    ALL_LEFT = 16,
    WORST_LEFT = 336,
    WAYS_LEFT = 640,
    WAYS_BAR = 120,
    WAYS_PITCH = 17,
    WAYS_MAX = 5,
};

struct bank_place {
    const struct observed_place *place;
    uint64_t passes;
};

/* Returns how many places there are; the first PLACES_MAX of them are listed. */
static size_t list_places(const struct result *r, struct bank_place list[PLACES_MAX])
{
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < r->line_count; i++) {
        const struct observed_place *place = figure_observed(r, &r->lines[i]);
        if (place == NULL || place->banks == NULL)
            continue;
        const struct bank_place added = {place, report_amounts(r->lines[i].counters).passes};
        size_t at = kept < PLACES_MAX ? kept++ : PLACES_MAX;
        for (; at > 0 && list[at - 1].passes < added.passes; at--)
            if (at < PLACES_MAX)
                list[at] = list[at - 1];
        if (at < PLACES_MAX)
            list[at] = added;
        all++;
    }
    return all;
}

bool figure_banks_has(const struct result *results, size_t count)
{
    struct bank_place list[PLACES_MAX];
    (void)count;
    return list_places(results, list) > 0;
}

static void draw_words(struct svg *svg, const struct result *r, const struct observed_banks *banks,
                       double x, double y)
{
    const uint32_t count = banks_count_of(r->rules.banks);
    const double pitch = (double)CHART_WIDTH / count;
    uint64_t most = 1;
    for (uint32_t i = 0; i < count; i++)
        most = banks->words[i] > most ? banks->words[i] : most;
    for (uint32_t i = 0; i < count; i++) {
        char words[REPORT_NUMBER_BYTES];
        const double height = CHART_HEIGHT * report_share(banks->words[i], most);
        if (banks->words[i])
            svg_rect_titled(svg, x + i * pitch + 1, y + CHART_HEIGHT - height, pitch - 2, height,
                            "actual", "bank %u: %s words", i,
                            report_number(banks->words[i], words));
        if (i % (count / 4) == 0 || i == count - 1)
            svg_text(svg, x + (i + 0.5) * pitch, y + CHART_HEIGHT + 14, SVG_MIDDLE, "soft small",
                     "%u", i);
    }
    svg_line(svg, x, y + CHART_HEIGHT, x + CHART_WIDTH, y + CHART_HEIGHT, "axis");
}

static void draw_way(struct svg *svg, uint32_t ways, uint64_t count, uint64_t all, double y)
{
    char text[REPORT_NUMBER_BYTES];
    const double width = WAYS_BAR * report_share(count, all);
    svg_text(svg, WAYS_LEFT + 52, y + 11, SVG_END, ways > 1 ? "alarm" : "fine", "%u-way", ways);
    svg_rect(svg, WAYS_LEFT + 62, y + 2, WAYS_BAR, 10, "idle");
    svg_rect(svg, WAYS_LEFT + 62, y + 2, width < 1 ? 1 : width, 10, ways > 1 ? "excess" : "ideal");
    svg_text(svg, WAYS_LEFT + 62 + WAYS_BAR + 10, y + 11, SVG_START, "ink", "%s (%.3g %%)",
             report_amount((double)count, text), 100 * report_share(count, all));
}

static void draw_ways(struct svg *svg, const struct observed_banks *banks, double y)
{
    uint64_t all = 0, others = 0;
    uint32_t shown = 0, kinds = 0;
    for (uint32_t i = 1; i <= OBSERVED_WAYS; i++) {
        all += banks->ways[i];
        kinds += banks->ways[i] != 0;
    }
    for (uint32_t i = 1; i <= OBSERVED_WAYS; i++) {
        if (banks->ways[i] == 0)
            continue;
        if (shown + 1 >= WAYS_MAX && kinds > WAYS_MAX)
            others += banks->ways[i];
        else
            draw_way(svg, i, banks->ways[i], all, y + WAYS_PITCH * shown++);
    }
    if (others)
        svg_text(svg, WAYS_LEFT + 62, y + WAYS_PITCH * shown + 11, SVG_START, "alarm",
                 "%.3g %% in more ways", 100 * report_share(others, all));
}

/* The words of the costliest access, which tell where its conflict is; those of all accesses together are
 * even when each conflicts on another bank. */
static void draw_worst(struct svg *svg, const struct result *r, const struct observed_place *place,
                       double y)
{
    struct observed_banks banks = {0};
    const struct warp_access *worst = &place->worst[r->gpu_index].access.access;
    observed_banks_add(&r->rules, worst, 1, &banks);
    draw_words(svg, r, &banks, WORST_LEFT, y);
}

static void draw_place(struct svg *svg, const struct result *r, const struct observed_place *place,
                       double y)
{
    char name[FIGURE_TEXT_BYTES];
    const struct observed_banks *banks = &place->banks[r->gpu_index];
    const uint64_t cost = place->worst[r->gpu_index].cost;
    svg_text(svg, ALL_LEFT, y + 16, SVG_START, "ink bold", "%s",
             figure_place(place->file, place->line, place->space, place->op, name));
    svg_text(svg, ALL_LEFT, y + 34, SVG_START, "soft", "words by bank, all accesses");
    svg_text(svg, WORST_LEFT, y + 34, SVG_START, "soft", "the costliest access: %" PRIu64 " pass%s",
             cost, cost == 1 ? "" : "es");
    svg_text(svg, WAYS_LEFT + 62, y + 34, SVG_START, "soft", "accesses by conflict");
    draw_words(svg, r, banks, ALL_LEFT, y + CHART_TOP);
    draw_worst(svg, r, place, y + CHART_TOP);
    draw_ways(svg, banks, y + CHART_TOP);
}

void figure_banks_write(const struct result *results, size_t count, enum svg_place place, FILE *out)
{
    struct svg svg;
    struct bank_place list[PLACES_MAX];
    const size_t all = list_places(results, list);
    const size_t shown = all < PLACES_MAX ? all : PLACES_MAX;
    (void)count;
    figure_begin(&svg, out, place, (double)shown * ROW + (all > shown ? 20 : 0), results,
                 "Banks of shared memory", "Words by bank and bank conflicts of shared accesses.");
    for (size_t i = 0; i < shown; i++)
        draw_place(&svg, results, list[i].place, (double)i * ROW);
    if (all > shown)
        svg_text(&svg, ALL_LEFT, (double)shown * ROW + 12, SVG_START, "soft",
                 "and %zu more with fewer passes", all - shown);
    figure_end(&svg);
}
