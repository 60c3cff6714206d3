/* figure_timeline.c - decisions: a row a warp, with a bar of what the warp does and, below it, thin bars of its
 * accesses on their way, as many beside each other as are under way at once, up to LANES_MAX. So the
 * bars above show waiting, and those below what it waits for. Where the block is longer than can
 * be told apart, its beginning is shown, and the picture says so.
 */
#include "report/figure_timeline.h"

#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "report/timeline_segments.h"

enum {
    WIDTH = 960,
    LEFT = 64,
    RIGHT = 16,
    TOP = 84,
    GAP = 7,
    LANES_MAX = 4,
    TICKS = 10, /* of the axis, about */
    LEGEND_ROW = 18,
    LEGEND_COLUMNS = 3,
    STEPS_SHOWN = 640, /* more are neither told apart nor small */
    DIGIT = 7,         /* width of a digit and what is around it */
    TEXT_BAR = 13,     /* height of a bar that has room for digits */
};

/* The fewer warps, the taller their bars, and the longer each step. */
static const struct size {
    uint32_t warps, warp_steps;
    double bar, lane;
} sizes[] = {{4, 20, 18, 8}, {8, 48, 13, 6}, {STEP_WARPS_MAX, 48, 9, 5}};

struct picture {
    struct svg svg;
    const struct result *r;
    const struct timeline *timeline;
    const struct size *size;
    uint64_t until;                              /* ticks */
    double scale;                                /* pixels a tick */
    uint32_t lanes;                              /* of each row */
    uint64_t free_at[STEP_WARPS_MAX][LANES_MAX]; /* ticks: when a lane is free */
    bool used[SHADE_COUNT];
};

static double x_of(const struct picture *p, uint64_t ticks)
{
    uint64_t at = ticks < p->until ? ticks : p->until;
    return LEFT + (double)(at - p->timeline->began) * p->scale;
}

static double row_height(const struct picture *p)
{
    return p->size->bar + p->lanes * p->size->lane + GAP;
}

static double row_y(const struct picture *p, uint32_t warp)
{
    return TOP + warp * row_height(p);
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

/* The lane for a trip, which is then taken: the first that is free, or the one that is free first. */
static uint32_t take_lane(struct picture *p, uint32_t warp, const struct timeline_segment *trip,
                          size_t count)
{
    uint64_t *free_at = p->free_at[warp];
    uint32_t lane = 0;
    for (uint32_t i = 1; i < LANES_MAX && free_at[lane] > trip[0].begin; i++)
        if (free_at[i] <= trip[0].begin || free_at[i] < free_at[lane])
            lane = i;
    free_at[lane] = trip[count - 1].end;
    return lane;
}

/* How many lanes are needed, and which shades are in the picture. */
static void look_through(struct picture *p)
{
    struct timeline_segment segments[TIMELINE_SEGMENTS_MAX];
    p->lanes = 1;
    for (size_t i = 0; i < p->timeline->count && p->timeline->steps[i].turn < p->until; i++) {
        const struct timeline_step *step = &p->timeline->steps[i];
        size_t count = timeline_doings(step, segments);
        for (size_t k = 0; k < count; k++)
            p->used[segments[k].shade] |= segments[k].begin < p->until;
        count = timeline_trip(step, segments);
        for (size_t k = 0; k < count; k++)
            p->used[segments[k].shade] |= segments[k].begin < p->until;
        uint32_t lane = count ? take_lane(p, step->warp, segments, count) : 0;
        p->lanes = lane + 1 > p->lanes ? lane + 1 : p->lanes;
    }
    memset(p->free_at, 0, sizeof p->free_at);
}

/* ---- Bars ------------------------------------------------------------------------------------ */

static void put_segments(struct picture *p, const struct timeline_segment *segments, size_t count,
                         double y, double height)
{
    for (size_t i = 0; i < count && segments[i].begin < p->until; i++) {
        double x = x_of(p, segments[i].begin), width = x_of(p, segments[i].end) - x;
        svg_rect(&p->svg, x, y, width < 0.6 ? 0.6 : width, height,
                 timeline_shades[segments[i].shade].class);
    }
}

/* How long the warp waits, where there is room for digits. */
static void put_waits(struct picture *p, const struct timeline_segment *segments, size_t count,
                      double y)
{
    char text[REPORT_NUMBER_BYTES];
    for (size_t i = 0; i < count && p->size->bar >= TEXT_BAR; i++) {
        const double x = x_of(p, segments[i].begin), end = x_of(p, segments[i].end);
        report_number((segments[i].end - segments[i].begin + TICKS_PER_CYCLE / 2) >> TICKS_LOG2,
                      text);
        if (segments[i].shade == SHADE_LOADS && segments[i].end <= p->until &&
            end - x >= (double)(DIGIT * (strlen(text) + 1)))
            svg_text(&p->svg, (x + end) / 2, y + p->size->bar / 2 + 3.5, SVG_MIDDLE, "soft small",
                     "%s", text);
    }
}

/* "; L2 slice 340-352": where a step is when, in cycles since the block began. */
static size_t tell_stage(const struct picture *p, const struct timeline_step *step,
                         enum timeline_stage stage, const char *words, char *text, size_t room)
{
    if (!timeline_has(step, stage))
        return 0;
    double first = timeline_cycles(p->timeline, step->span[stage].first);
    double last = timeline_cycles(p->timeline, step->span[stage].last);
    int length = last - first < 0.5 ? snprintf(text, room, "; %s %.0f", words, first)
                                    : snprintf(text, room, "; %s %.0f-%.0f", words, first, last);
    return (size_t)length < room ? (size_t)length : room - 1;
}

static void tell_step(const struct picture *p, const struct timeline_step *step, char *text,
                      size_t room)
{
    static const struct {
        enum timeline_stage stage;
        const char *words;
    } stages[] = {
        {TIMELINE_LOADS, "waits for loads"},
        {TIMELINE_ISSUE, "issues"},
        {TIMELINE_PAGES, "waits for pages"},
        {TIMELINE_QUEUE, "queues"},
        {TIMELINE_UNIT, "load/store unit"},
        {TIMELINE_L1, "cache of the SM"},
        {TIMELINE_CROSSBAR, "crossbar"},
        {TIMELINE_L2, "L2 slice"},
        {TIMELINE_DRAM, "DRAM"},
        {TIMELINE_HOST, "PCIe"},
        {TIMELINE_DATA, "there"},
        {TIMELINE_BARRIER, "barrier"},
    };
    char name[TIMELINE_NAME_BYTES];
    timeline_name(p->r, step, name);
    size_t used = (size_t)snprintf(text, room, "warp %u, %s", step->warp, name);
    if (step->kind == STEP_ACCESS && used < room)
        used += (size_t)snprintf(text + used, room - used, ": passes %u, requests %u", step->passes,
                                 step->requests);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && used < room; i++)
        used += tell_stage(p, step, stages[i].stage, stages[i].words, text + used, room - used);
    if (timeline_is_load(step) && timeline_has(step, TIMELINE_DATA) && used < room)
        snprintf(text + used, room - used, "; %.0f cycles from %s",
                 (double)timeline_latency(step) / TICKS_PER_CYCLE,
                 timeline_source_name(timeline_source(step)));
}

static void put_step(struct picture *p, const struct timeline_step *step)
{
    char text[512];
    struct timeline_segment doings[TIMELINE_SEGMENTS_MAX], trip[TIMELINE_SEGMENTS_MAX];
    size_t doing_count = timeline_doings(step, doings), trip_count = timeline_trip(step, trip);
    double y = row_y(p, step->warp);
    if (doing_count + trip_count == 0)
        return;
    tell_step(p, step, text, sizeof text);
    svg_group(&p->svg, NULL, text);
    put_segments(p, doings, doing_count, y, p->size->bar);
    put_waits(p, doings, doing_count, y);
    if (trip_count) {
        uint32_t lane = take_lane(p, step->warp, trip, trip_count);
        put_segments(p, trip, trip_count, y + p->size->bar + 1 + lane * p->size->lane,
                     p->size->lane - 1);
    }
    svg_group_end(&p->svg);
}

/* The moments at which barriers open. */
static void put_walls(struct picture *p)
{
    const struct timeline *t = p->timeline;
    uint64_t latest = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct timeline_span *span = &t->steps[i].span[TIMELINE_BARRIER];
        if (!timeline_has(&t->steps[i], TIMELINE_BARRIER) || span->last <= latest ||
            span->last > p->until)
            continue;
        latest = span->last;
        svg_line(&p->svg, x_of(p, latest), TOP - 4, x_of(p, latest), row_y(p, t->warp_count),
                 "opening");
    }
}

/* ---- Around them ----------------------------------------------------------------------------- */

static void put_axis(struct picture *p)
{
    const double cycles = timeline_cycles(p->timeline, p->until);
    const uint64_t step = timeline_round_step(cycles, TICKS);
    char text[REPORT_NUMBER_BYTES];
    for (uint64_t at = 0; (double)at <= cycles; at += step) {
        double x = x_of(p, p->timeline->began + ticks_of_cycles((int64_t)at));
        svg_line(&p->svg, x, TOP - 6, x, row_y(p, p->timeline->warp_count), "grid");
        svg_text(&p->svg, x, TOP - 10, SVG_MIDDLE, "soft small", "%s", report_number(at, text));
    }
    svg_text(&p->svg, LEFT - 8, TOP - 10, SVG_END, "soft small", "cycle");
}

/* From the height y on; how high it is. */
static double put_legend(struct picture *p, double y, bool draw)
{
    uint32_t shown = 0;
    for (int i = 0; i < SHADE_COUNT; i++) {
        const double x = LEFT + shown % LEGEND_COLUMNS * ((WIDTH - LEFT) / LEGEND_COLUMNS);
        const double row = y + (shown / LEGEND_COLUMNS + 1) * LEGEND_ROW;
        if (!p->used[i])
            continue;
        shown++;
        if (!draw)
            continue;
        svg_rect(&p->svg, x, row - (i < SHADE_ACCESS ? 9 : 6), 14, i < SHADE_ACCESS ? 9 : 4,
                 timeline_shades[i].class);
        svg_text(&p->svg, x + 20, row, SVG_START, "soft small", "%s", timeline_shades[i].words);
    }
    return (shown + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS * LEGEND_ROW;
}

static void put_head(struct picture *p)
{
    const struct timeline *t = p->timeline;
    char block[REPORT_NUMBER_BYTES], shown[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES];
    char shares[TIMELINE_SHARES_BYTES];
    timeline_shares(t, p->until, shares);
    svg_text(&p->svg, 16, 22, SVG_START, "ink large", "%s on %s: the warps of block %s over time",
             p->r->info->kernel, p->r->gpu->title, report_number(t->block, block));
    svg_text(&p->svg, 16, 40, SVG_START, "soft",
             "SM %u; %s of the %s cycles from its begin to its end%s. Thick: the warp; thin: its "
             "accesses.",
             t->sm, report_number((p->until - t->began) >> TICKS_LOG2, shown),
             report_number((t->ended - t->began) >> TICKS_LOG2, all),
             p->until < t->ended ? "; the rest is not shown" : "");
    svg_text(&p->svg, 16, 56, SVG_START, "soft", "Of the warps' time: %s.", shares);
}

static void put_none(const struct result *r, enum svg_place place, FILE *out)
{
    struct svg svg;
    svg_begin(&svg, out, place, WIDTH, 40, "Timeline", NULL);
    svg_text(&svg, 16, 24, SVG_START, "soft", "%s on %s: no timeline was recorded.",
             r->info->kernel, r->gpu->title);
    svg_end(&svg);
}

void figure_timeline(const struct result *r, enum svg_place place, FILE *out)
{
    const struct timeline *t = r->timeline;
    struct picture p = {.r = r, .timeline = t, .size = sizes};
    if (t == NULL) {
        put_none(r, place, out);
        return;
    }
    while (t->warp_count > p.size->warps)
        p.size++;
    p.until = timeline_until(t, p.size->warp_steps, STEPS_SHOWN);
    p.scale = (WIDTH - LEFT - RIGHT) / (double)(p.until > t->began ? p.until - t->began : 1);
    look_through(&p);
    const double bottom = row_y(&p, t->warp_count);
    svg_begin(
        &p.svg, out, place, WIDTH, bottom + put_legend(&p, bottom, false) + 12,
        "Timeline of a block",
        "A row a warp, time to the right: what the warp does, and below where its accesses are.");
    put_head(&p);
    put_axis(&p);
    for (uint32_t w = 0; w < t->warp_count; w++)
        svg_text(&p.svg, LEFT - 8, row_y(&p, w) + p.size->bar / 2 + 3.5, SVG_END, "soft small",
                 "warp %u", w);
    for (size_t i = 0; i < t->count; i++)
        if (t->steps[i].turn < p.until)
            put_step(&p, &t->steps[i]);
    put_walls(&p);
    put_legend(&p, bottom, true);
    svg_end(&p.svg);
}
