/* json_timeline.c - the timeline of a block in JSON: each step with its stages, in cycles since the block
 * began, [first, last]. */
#include <inttypes.h>

#include "report/report.h"
#include "report/timeline_segments.h"

static const char *const stage_names[TIMELINE_STAGES] = {
    [TIMELINE_LOADS] = "waits_for_loads",
    [TIMELINE_ISSUE] = "issue",
    [TIMELINE_PAGES] = "waits_for_pages",
    [TIMELINE_QUEUE] = "waits_for_unit",
    [TIMELINE_SEND] = "at_unit",
    [TIMELINE_BARRIER] = "barrier",
    [TIMELINE_ENDED] = "ended",
    [TIMELINE_UNIT] = "unit",
    [TIMELINE_L1] = "l1",
    [TIMELINE_CROSSBAR] = "crossbar",
    [TIMELINE_ARRIVAL] = "arrival",
    [TIMELINE_L2] = "l2",
    [TIMELINE_DRAM] = "dram",
    [TIMELINE_HOST] = "host",
    [TIMELINE_DATA] = "data",
};

static void put_access(const struct result *r, const struct timeline_step *step, FILE *out)
{
    const bool known = step->site < r->info->site_count;
    fprintf(out, ",\"space\":\"%s\"", mem_space_names[step->space]);
    if (known) {
        fputs(",\"array\":", out);
        quote_json_string(r->info->sites[step->site].array, out);
        fputs(",\"file\":", out);
        quote_json_string(r->info->sites[step->site].file, out);
        fprintf(out, ",\"line\":%u", r->info->sites[step->site].line);
    }
    fprintf(out, ",\"lanes\":%u,\"passes\":%u,\"requests\":%u", step->lanes, step->passes,
            step->requests);
}

static void put_step(const struct result *r, const struct timeline_step *step, FILE *out)
{
    const struct timeline *t = r->timeline;
    fprintf(out, "{\"warp\":%u,\"step\":\"%s\"", step->warp,
            step->kind == STEP_ACCESS ? mem_op_names[step->word]
                                      : timeline_step_words[step->kind].key);
    if (step->kind == STEP_ACCESS)
        put_access(r, step, out);
    fprintf(out, ",\"instructions\":%u,\"turn\":%.10g", step->work, timeline_cycles(t, step->turn));
    for (int stage = 0; stage < TIMELINE_STAGES; stage++)
        if (timeline_has(step, (enum timeline_stage)stage))
            fprintf(out, ",\"%s\":[%.10g,%.10g]", stage_names[stage],
                    timeline_cycles(t, step->span[stage].first),
                    timeline_cycles(t, step->span[stage].last));
    fputc('}', out);
}

void report_json_timeline(const struct result *r, FILE *out)
{
    const struct timeline *t = r->timeline;
    fprintf(out,
            ",\n\"timeline_block\":{\"block\":%u,\"sm\":%u,\"warps\":%u,\"began_cycle\":%" PRIu64
            ",\"cycles\":%" PRIu64 ",\"steps_left_out\":%" PRIu64 "},\n\"timeline\":[",
            t->block, t->sm, t->warp_count, (t->began - t->launch_began) >> TICKS_LOG2,
            (t->ended - t->began) >> TICKS_LOG2, t->left_out);
    for (size_t i = 0; i < t->count; i++) {
        fputs(i ? ",\n " : "\n ", out);
        put_step(r, &t->steps[i], out);
    }
    fputc(']', out);
}
