/* timeline_segments.c - an access is drawn as one trip: its requests' first and last times at each stage, put
 * in order. Where stages overlap, since some requests are farther than others, the earlier stage is
 * shown until its last request has left it. */
#include "report/timeline_segments.h"

#include <stdio.h>

#include "report/report.h"

const struct timeline_step_words timeline_step_words[] = {
    [STEP_ACCESS] = {NULL, "access"},
    [STEP_BARRIER] = {"barrier", "barrier"},
    [STEP_END] = {"end", "end"},
    [STEP_COPY_COMMIT] = {"copies_commit", "commit of copies"},
    [STEP_COPY_WAIT] = {"copies_wait", "wait for copies"},
    [STEP_BULK_COMMIT] = {"bulk_commit", "commit of bulk copies"},
    [STEP_BULK_WAIT] = {"bulk_wait", "wait for bulk copies"},
    [STEP_PHASE_ARRIVE] = {"phase_arrive", "arrival at a barrier"},
    [STEP_PHASE_WAIT] = {"phase_wait", "wait at a barrier"},
    [STEP_PRODUCT] = {"product", "product of a warpgroup"},
    [STEP_PRODUCT_COMMIT] = {"products_commit", "commit of products"},
    [STEP_PRODUCT_WAIT] = {"products_wait", "wait for products"},
};

const struct shade timeline_shades[SHADE_COUNT] = {
    [SHADE_TURN] = {'.', "turn", "waits for the SM to issue its instructions", "waiting to issue"},
    [SHADE_ISSUE] = {'i', "issue", "its instructions issue", "instructions"},
    [SHADE_QUEUE] = {'q', "queue", "waits behind other warps for the load/store unit",
                     "queue of the load/store unit"},
    [SHADE_SEND] = {'u', "unit", "at the load/store unit", "load/store unit"},
    [SHADE_LOADS] = {'w', "idle", "waits for its loads", "loads"},
    [SHADE_PAGES] = {'P', "pages", "waits for pages of managed memory", "pages"},
    [SHADE_BARRIER] = {'B', "wall", "waits at the barrier", "barrier"},
    [SHADE_UNIT] = {'p', "unit", "in the load/store unit, pass by pass", NULL},
    [SHADE_OUT] = {'>', "way_out", "on the way out of the SM, queues included", NULL},
    [SHADE_SLICE] = {'l', "slice", "at the L2 slice", NULL},
    [SHADE_DRAM] = {'d', "bank", "in the queue of DRAM: bank, row, bus", NULL},
    [SHADE_FROM_SM] = {'1', "from_sm", "data from the SM: shared memory or a cache", NULL},
    [SHADE_FROM_OTHER] = {'o', "from_other", "comes with another SM's request", NULL},
    [SHADE_FROM_L2] = {'2', "from_l2", "data from L2", NULL},
    [SHADE_FROM_DRAM] = {'D', "from_dram", "data from DRAM", NULL},
    [SHADE_FROM_HOST] = {'H', "from_host", "data from the host", NULL},
};

struct segments {
    struct timeline_segment *at;
    size_t count;
    uint64_t end; /* ticks: of the latest */
};

static void add(struct segments *s, enum timeline_shade shade, uint64_t begin, uint64_t end)
{
    if (begin < s->end)
        begin = s->end;
    if (end > begin) {
        s->at[s->count++] = (struct timeline_segment){shade, begin, end};
        s->end = end;
    }
}

static void add_stage(struct segments *s, enum timeline_shade shade,
                      const struct timeline_step *step, enum timeline_stage stage)
{
    if (timeline_has(step, stage))
        add(s, shade, step->span[stage].first, step->span[stage].last);
}

/* A step waits for loads before its instructions or behind them. */
size_t timeline_doings(const struct timeline_step *step,
                       struct timeline_segment segments[TIMELINE_SEGMENTS_MAX])
{
    struct segments s = {segments, 0, step->turn};
    const struct timeline_span *loads = &step->span[TIMELINE_LOADS];
    if (timeline_has(step, TIMELINE_LOADS) && loads->first == step->turn)
        add_stage(&s, SHADE_LOADS, step, TIMELINE_LOADS);
    if (timeline_has(step, TIMELINE_ISSUE))
        add(&s, SHADE_TURN, s.end, step->span[TIMELINE_ISSUE].first);
    add_stage(&s, SHADE_ISSUE, step, TIMELINE_ISSUE);
    add_stage(&s, SHADE_LOADS, step, TIMELINE_LOADS);
    add_stage(&s, SHADE_PAGES, step, TIMELINE_PAGES);
    add_stage(&s, SHADE_QUEUE, step, TIMELINE_QUEUE);
    add_stage(&s, SHADE_SEND, step, TIMELINE_SEND);
    add_stage(&s, SHADE_BARRIER, step, TIMELINE_BARRIER);
    return s.count;
}

enum timeline_shade timeline_source(const struct timeline_step *step)
{
    if (timeline_has(step, TIMELINE_HOST))
        return SHADE_FROM_HOST;
    if (timeline_has(step, TIMELINE_DRAM))
        return SHADE_FROM_DRAM;
    if (timeline_has(step, TIMELINE_ARRIVAL))
        return SHADE_FROM_L2;
    return timeline_has(step, TIMELINE_CROSSBAR) ? SHADE_FROM_OTHER : SHADE_FROM_SM;
}

const char *timeline_source_name(enum timeline_shade source)
{
    static const char *const names[SHADE_COUNT] = {
        [SHADE_FROM_SM] = "SM",     [SHADE_FROM_OTHER] = "another SM's request",
        [SHADE_FROM_L2] = "L2",     [SHADE_FROM_DRAM] = "DRAM",
        [SHADE_FROM_HOST] = "host",
    };
    return names[source];
}

static void add_until(struct segments *s, enum timeline_shade shade,
                      const struct timeline_step *step, enum timeline_stage stage, bool first)
{
    if (timeline_has(step, stage))
        add(s, shade, s->end, first ? step->span[stage].first : step->span[stage].last);
}

size_t timeline_trip(const struct timeline_step *step,
                     struct timeline_segment segments[TIMELINE_SEGMENTS_MAX])
{
    struct segments s = {segments, 0, step->span[TIMELINE_UNIT].first};
    if (step->kind != STEP_ACCESS || !timeline_has(step, TIMELINE_UNIT))
        return 0; /* the unit has not begun with it */
    add_stage(&s, SHADE_UNIT, step, TIMELINE_UNIT);
    add_until(&s, SHADE_OUT, step, TIMELINE_ARRIVAL, true);
    add_until(&s, SHADE_OUT, step, TIMELINE_HOST, true);
    add_until(&s, SHADE_SLICE, step, TIMELINE_L2, false);
    add_until(&s, SHADE_DRAM, step, TIMELINE_DRAM, false);
    if (step->op == OP_STORE) /* ends where it is taken */
        add_until(&s, s.count ? segments[s.count - 1].shade : SHADE_OUT, step, TIMELINE_DATA,
                  false);
    else
        add_until(&s, timeline_source(step), step, TIMELINE_DATA, false);
    return s.count;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

uint64_t timeline_until(const struct timeline *timeline, uint32_t warp_steps, size_t steps)
{
    uint32_t begun[STEP_WARPS_MAX] = {0};
    for (size_t i = 0; i < timeline->count; i++)
        if (i == steps || begun[timeline->steps[i].warp]++ == warp_steps)
            return timeline->steps[i].turn;
    return timeline->left_out ? timeline->left_out_from : timeline->ended;
}

/* Ticks that the warps do each thing until then. */
static void sum_doings(const struct timeline *timeline, uint64_t until, uint64_t sum[SHADE_ACCESS])
{
    struct timeline_segment doings[TIMELINE_SEGMENTS_MAX];
    for (size_t i = 0; i < timeline->count; i++) {
        size_t count = timeline_doings(&timeline->steps[i], doings);
        for (size_t k = 0; k < count; k++) {
            uint64_t end = doings[k].end < until ? doings[k].end : until;
            if (end > doings[k].begin)
                sum[doings[k].shade] += end - doings[k].begin;
        }
    }
}

void timeline_shares(const struct timeline *timeline, uint64_t until,
                     char text[TIMELINE_SHARES_BYTES])
{
    const double all = (double)(until - timeline->began) * timeline->warp_count;
    uint64_t sum[SHADE_ACCESS] = {0};
    size_t used = 0;
    sum_doings(timeline, until, sum);
    text[0] = '\0';
    for (int i = 0; i < SHADE_ACCESS && used < TIMELINE_SHARES_BYTES; i++)
        if ((double)sum[i] >= all / 200 && sum[i]) /* half a percent */
            used += (size_t)snprintf(text + used, TIMELINE_SHARES_BYTES - used, "%s%s %.0f %%",
                                     used ? ", " : "", timeline_shades[i].name,
                                     100 * (double)sum[i] / all);
}

uint64_t timeline_round_step(double length, uint32_t parts)
{
    uint64_t step = 1, ten = 1;
    for (int i = 1; (double)step * parts < length; i++) {
        ten *= i % 3 == 0 ? 10 : 1;
        step = ten * (uint64_t)(i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5);
    }
    return step;
}

void timeline_name(const struct result *r, const struct timeline_step *step,
                   char text[TIMELINE_NAME_BYTES])
{
    const struct trace_site *site = &r->info->sites[step->site];
    if (step->kind != STEP_ACCESS || step->site >= r->info->site_count)
        snprintf(text, TIMELINE_NAME_BYTES, "%s", timeline_step_words[step->kind].words);
    else
        snprintf(text, TIMELINE_NAME_BYTES, "%s:%u %s %s%s%s", site->file, site->line,
                 mem_space_names[site->space], mem_op_names[step->word], site->array[0] ? " " : "",
                 site->array);
}
