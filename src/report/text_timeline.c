/* text_timeline.c - the timeline of a block in the text report: a row a warp, a letter for so many cycles; how
 * long loads take; and the first warp's first accesses in figures.
 *
 * Decision: a warp that waits for loads shows where the load is that comes last, so that one row tells
 * both. A letter is what takes most of its cycles.
 */
#include <stdlib.h>
#include <string.h>

#include "report/text_sections.h"
#include "report/timeline_segments.h"

enum {
    COLUMNS = 100,
    WARP_STEPS = 24,
    FEW_WARPS = 4,
    FEW_WARPS_STEPS = 8, /* of a warp, and ... */
    STEPS = 480,         /* ... of the block: more are not told apart */
    ACCESSES = 10,       /* in figures */
    UNDER_WAY = 8,       /* loads of a warp, at most */
};

struct chart {
    const struct timeline *timeline;
    uint64_t until, column; /* ticks: the end, and of one column */
    bool used[SHADE_COUNT];
};

/* One warp's. */
struct row {
    uint64_t ticks[COLUMNS][SHADE_COUNT];
    const struct timeline_step *loads[UNDER_WAY]; /* the latest ones: number n at n mod 8 */
    size_t load_count;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

static void paint(const struct chart *chart, struct row *row, enum timeline_shade shade,
                  uint64_t begin, uint64_t end)
{
    const uint64_t origin = chart->timeline->began;
    if (end > chart->until)
        end = chart->until;
    while (begin < end) {
        uint64_t column = (begin - origin) / chart->column;
        uint64_t next = origin + (column + 1) * chart->column;
        row->ticks[column][shade] += (next < end ? next : end) - begin;
        begin = next;
    }
}

/* What takes most of a column; a blank when that is nothing. */
static char letter_of(struct chart *chart, const uint64_t ticks[SHADE_COUNT])
{
    uint64_t something = 0;
    int most = 0;
    for (int i = 0; i < SHADE_COUNT; i++) {
        something += ticks[i];
        most = ticks[i] > ticks[most] ? i : most;
    }
    if (2 * something <= chart->column)
        return ' ';
    chart->used[most] = true;
    return timeline_shades[most].letter;
}

/* The warp waits for its loads, whose last comes at the end. */
static void paint_wait(const struct chart *chart, struct row *row,
                       const struct timeline_segment *wait)
{
    const struct timeline_step *last = NULL;
    struct timeline_segment trip[TIMELINE_SEGMENTS_MAX];
    for (size_t i = 0; i < UNDER_WAY && i < row->load_count; i++) {
        uint64_t there = row->loads[i]->span[TIMELINE_DATA].last;
        if (there <= wait->end && (last == NULL || there > last->span[TIMELINE_DATA].last))
            last = row->loads[i];
    }
    size_t count = last ? timeline_trip(last, trip) : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t begin = trip[i].begin > wait->begin ? trip[i].begin : wait->begin;
        paint(chart, row, trip[i].shade, begin, trip[i].end < wait->end ? trip[i].end : wait->end);
    }
}

static void paint_step(const struct chart *chart, struct row *row, const struct timeline_step *step)
{
    struct timeline_segment doings[TIMELINE_SEGMENTS_MAX];
    size_t count = timeline_doings(step, doings);
    for (size_t i = 0; i < count; i++) {
        if (doings[i].shade == SHADE_LOADS)
            paint_wait(chart, row, &doings[i]);
        else
            paint(chart, row, doings[i].shade, doings[i].begin, doings[i].end);
    }
    if (timeline_is_load(step) && timeline_has(step, TIMELINE_DATA))
        row->loads[row->load_count++ % UNDER_WAY] = step;
}

static void print_row(struct chart *chart, uint32_t warp, FILE *out)
{
    const struct timeline *t = chart->timeline;
    struct row row = {.load_count = 0};
    char letters[COLUMNS];
    int length = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->steps[i].warp == warp)
            paint_step(chart, &row, &t->steps[i]);
    for (int i = 0; i < COLUMNS; i++) {
        letters[i] = letter_of(chart, row.ticks[i]);
        length = letters[i] == ' ' ? length : i + 1;
    }
    fprintf(out, "  warp %2u  %.*s\n", warp, length, letters);
}

/* ---- Around them ----------------------------------------------------------------------------- */

static void print_axis(const struct chart *chart, FILE *out)
{
    enum { EVERY = 20 };
    const uint64_t cycles = chart->column >> TICKS_LOG2;
    char text[REPORT_NUMBER_BYTES];
    int gap = 0;
    fprintf(out, "  cycle    ");
    for (uint64_t at = 0; at * chart->column < chart->until - chart->timeline->began; at += EVERY) {
        report_number(at * cycles, text);
        fprintf(out, "%*s%s", gap, "", text);
        gap = EVERY - (int)strlen(text);
    }
    fputc('\n', out);
}

/* The letters that were used: what a warp does, and for one that waits for a load where that is. */
static void print_legend(const struct chart *chart, FILE *out)
{
    struct table table;
    table_start(&table, 2, "l");
    for (int i = 0; i < SHADE_COUNT; i++) {
        if (!chart->used[i])
            continue;
        table_cell(&table, "%c", timeline_shades[i].letter);
        table_cell(&table, "%s%s",
                   i < SHADE_ACCESS ? "" : "waits for a load: ", timeline_shades[i].words);
        table_row(&table);
    }
    table_print(&table, 2, out);
}

/* ---- Figures --------------------------------------------------------------------------------- */

static int compare_ticks(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void latency_row(struct table *table, const struct timeline *t, enum timeline_shade source)
{
    static _Thread_local uint64_t ticks[TIMELINE_STEPS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        if (timeline_is_load(&t->steps[i]) && timeline_has(&t->steps[i], TIMELINE_DATA) &&
            timeline_source(&t->steps[i]) == source)
            ticks[count++] = timeline_latency(&t->steps[i]);
    if (count == 0)
        return;
    qsort(ticks, count, sizeof ticks[0], compare_ticks);
    table_cell(table, "%s", timeline_source_name(source));
    text_number_cell(table, count);
    const size_t picked[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < 3; i++)
        text_number_cell(table, (ticks[picked[i]] + TICKS_PER_CYCLE / 2) >> TICKS_LOG2);
    table_row(table);
}

static void print_latencies(const struct timeline *t, FILE *out)
{
    struct table table;
    table_start(&table, 5, "lr");
    TEXT_HEADINGS(&table, "data from", "loads", "least cycles", "median", "most");
    for (int source = SHADE_FROM_SM; source < SHADE_COUNT; source++)
        latency_row(&table, t, (enum timeline_shade)source);
    fputc('\n', out);
    table_print(&table, 2, out);
}

/* "340", or "340-352". */
static void span_cell(struct table *table, const struct timeline *t,
                      const struct timeline_step *step, enum timeline_stage stage)
{
    if (!timeline_has(step, stage)) {
        table_cell(table, "-");
        return;
    }
    double first = timeline_cycles(t, step->span[stage].first);
    double last = timeline_cycles(t, step->span[stage].last);
    if (last - first < 1)
        table_cell(table, "%.0f", first);
    else
        table_cell(table, "%.0f-%.0f", first, last);
}

static void access_row(struct table *table, const struct result *r,
                       const struct timeline_step *step)
{
    const struct timeline *t = r->timeline;
    char name[TIMELINE_NAME_BYTES];
    timeline_name(r, step, name);
    table_cell(table, "%s", name);
    table_cell(table, "%.0f", timeline_cycles(t, step->turn));
    span_cell(table, t, step, TIMELINE_LOADS);
    table_cell(table, "%u", step->passes);
    table_cell(table, "%u", step->requests);
    span_cell(table, t, step, TIMELINE_UNIT);
    span_cell(table, t, step, TIMELINE_ARRIVAL);
    span_cell(table, t, step, TIMELINE_DRAM);
    span_cell(table, t, step, TIMELINE_DATA);
    if (timeline_is_load(step) && timeline_has(step, TIMELINE_DATA))
        table_cell(table, "%.0f", (double)timeline_latency(step) / TICKS_PER_CYCLE);
    else
        table_cell(table, "-");
    table_row(table);
}

static void print_accesses(const struct result *r, FILE *out)
{
    const struct timeline *t = r->timeline;
    struct table table;
    int shown = 0;
    table_start(&table, 10, "lr");
    TEXT_HEADINGS(&table, "warp 0's first accesses", "its turn", "waits for loads", "passes",
                  "requests", "load/store unit", r->usage->capacity[USE_L2] ? "at L2" : "at DRAM",
                  "from DRAM", "there", "latency");
    for (size_t i = 0; i < t->count && shown < ACCESSES; i++)
        if (t->steps[i].warp == 0 && t->steps[i].kind == STEP_ACCESS) {
            access_row(&table, r, &t->steps[i]);
            shown++;
        }
    fputc('\n', out);
    table_print(&table, 2, out);
}

static void print_head(const struct chart *chart, FILE *out)
{
    const struct timeline *t = chart->timeline;
    char block[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES], began[REPORT_NUMBER_BYTES];
    char shown[REPORT_NUMBER_BYTES];
    fprintf(out, "\n  timeline of block %s on SM %u: %s cycles from cycle %s of the launch on",
            report_number(t->block, block), t->sm,
            report_number((t->ended - t->began) >> TICKS_LOG2, all),
            report_number((t->began - t->launch_began) >> TICKS_LOG2, began));
    if (chart->until < t->ended)
        fprintf(out, ", %s of them here",
                report_number((chart->until - t->began) >> TICKS_LOG2, shown));
    fprintf(out, "; a letter is %s cycles\n", report_number(chart->column >> TICKS_LOG2, shown));
}

void text_timeline(const struct result *r, FILE *out)
{
    const struct timeline *t = r->timeline;
    char shares[TIMELINE_SHARES_BYTES];
    if (t == NULL)
        return;
    const uint32_t steps = t->warp_count > FEW_WARPS ? WARP_STEPS : FEW_WARPS_STEPS;
    struct chart chart = {.timeline = t, .until = timeline_until(t, steps, STEPS)};
    chart.column = timeline_round_step(timeline_cycles(t, chart.until), COLUMNS) << TICKS_LOG2;
    print_head(&chart, out);
    print_axis(&chart, out);
    for (uint32_t warp = 0; warp < t->warp_count; warp++)
        print_row(&chart, warp, out);
    print_legend(&chart, out);
    timeline_shares(t, chart.until, shares);
    fprintf(out, "  of the warps' time: %s\n", shares);
    print_latencies(t, out);
    print_accesses(r, out);
}
