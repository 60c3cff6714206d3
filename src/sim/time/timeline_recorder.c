/* timeline_recorder.c - the steps of a watched block, as they come. */
#include "sim/time/timeline_recorder.h"

#include "result/shrink.h"
#include "sim/time/ticks.h"

static size_t bytes_for(size_t steps)
{
    return sizeof(struct timeline) + steps * sizeof(struct timeline_step);
}

struct timeline_recorder *timeline_recorder_new(uint32_t block)
{
    struct timeline_recorder *recorder = calloc(1, sizeof *recorder);
    struct timeline *kept = calloc(1, bytes_for(TIMELINE_STEPS_MAX));
    if (recorder == NULL || kept == NULL) {
        free(recorder);
        free(kept);
        return NULL;
    }
    kept->block = block;
    *recorder = (struct timeline_recorder){.awaited = true, .kept = kept};
    return recorder;
}

void timeline_recorder_free(struct timeline_recorder *recorder)
{
    if (recorder)
        free(recorder->kept);
    free(recorder);
}

struct timeline *timeline_take(struct timeline_recorder *recorder)
{
    if (recorder == NULL || recorder->kept->warp_count == 0)
        return NULL;
    struct timeline *kept = recorder->kept;
    recorder->kept = NULL;
    return shrink(kept, bytes_for(kept->count));
}

void timeline_begin(struct timeline_recorder *recorder, uint32_t sm, uint32_t warp_count,
                    uint64_t launch_began, uint64_t now)
{
    struct timeline *timeline = recorder->kept;
    recorder->awaited = false;
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
        at->word = access_word(&step->access);
        at->space = step->access.space;
        at->site = step->access.site;
        at->lanes = (uint8_t)__builtin_popcount(step->access.active);
    }
    return at;
}

struct timeline_step *timeline_turn(struct timeline_recorder *recorder, uint32_t warp,
                                    const struct step *step, uint64_t now)
{
    if (!recorder->under_way[warp])
        recorder->latest[warp] = add_step(recorder->kept, warp, step, now);
    recorder->under_way[warp] = true;
    return recorder->latest[warp];
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
