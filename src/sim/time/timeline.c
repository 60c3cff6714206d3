/* timeline.c - the steps of a watched block, as they come. */
#include "sim/time/timeline.h"

#include <stdlib.h>

struct timeline *timeline_new(uint32_t block)
{
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline) {
        timeline->block = block;
        timeline->awaited = true;
    }
    return timeline;
}

void timeline_begin(struct timeline *timeline, uint32_t sm, uint32_t warp_count,
                    uint64_t launch_began, uint64_t now)
{
    timeline->awaited = false;
    timeline->sm = sm;
    timeline->warp_count = warp_count;
    timeline->launch_began = launch_began;
    timeline->began = timeline->ended = now;
}

static struct timeline_step *add_step(struct timeline *timeline, uint32_t warp,
                                      const struct step *step, uint64_t now)
{
    if (timeline->count == TIMELINE_STEPS_MAX) {
        timeline->left_out_from = timeline->left_out++ ? timeline->left_out_from : now;
        return NULL;
    }
    struct timeline_step *at = &timeline->steps[timeline->count++];
    *at = (struct timeline_step){
        .kind = (uint8_t)step->kind, .warp = (uint8_t)warp, .work = step->work, .turn = now};
    if (step->kind == STEP_ACCESS) {
        at->op = step->access.op;
        at->space = step->access.space;
        at->site = step->access.site;
        at->lanes = (uint8_t)__builtin_popcount(step->access.active);
    }
    return at;
}

struct timeline_step *timeline_turn(struct timeline *timeline, uint32_t warp,
                                    const struct step *step, uint64_t now)
{
    if (!timeline->under_way[warp])
        timeline->latest[warp] = add_step(timeline, warp, step, now);
    timeline->under_way[warp] = true;
    return timeline->latest[warp];
}

void timeline_add(struct timeline_step *step, enum timeline_stage stage, uint64_t first,
                  uint64_t last)
{
    struct timeline_span *span = &step->span[stage];
    if (!timeline_has(step, stage))
        *span = (struct timeline_span){first, last};
    step->has[stage] = true;
    span->first = first < span->first ? first : span->first;
    span->last = ticks_later(span->last, last);
}
