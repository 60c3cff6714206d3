/* timeline_recorder.h - records what the warps of one block do when.
 *
 * A block is watched for a launch. The times are those at which the model itself has a step at its stages; none is
 * made up afterwards.
 *
 * Off, it costs one comparison an event and one with NULL at each stage.
 */
#ifndef WARPLENS_SIM_TIME_TIMELINE_RECORDER_H
#define WARPLENS_SIM_TIME_TIMELINE_RECORDER_H

#include "result/timeline.h"
#include "sim/time/steps.h"

struct timeline_recorder {
    bool awaited; /* the block may still begin */
    struct timeline
        *kept; /* with room for TIMELINE_STEPS_MAX; warp_count is 0 until the block begins */
    /* By warp: the step under way or, at a barrier, the last one; NULL: none, or it is not kept. */
    struct timeline_step *latest[STEP_WARPS_MAX];
    bool under_way[STEP_WARPS_MAX];
};

/* NULL when memory is short. */
struct timeline_recorder *timeline_recorder_new(uint32_t block);
void timeline_recorder_free(struct timeline_recorder *recorder); /* NULL: nothing to do */

/* What was recorded, the caller's to free; nothing more can be recorded. NULL: there is no recorder, or the block has
 * not begun. */
struct timeline *timeline_take(struct timeline_recorder *recorder);

/* The block begins. */
void timeline_begin(struct timeline_recorder *recorder, uint32_t sm, uint32_t warp_count,
                    uint64_t launch_began, uint64_t now);

/* The step that a warp has its event with, NULL when it is not kept. Begins it unless it is under way. */
struct timeline_step *timeline_turn(struct timeline_recorder *recorder, uint32_t warp,
                                    const struct step *step, uint64_t now);
/* The warp is through with it. */
static inline void timeline_done(struct timeline_recorder *recorder, uint32_t warp)
{
    recorder->under_way[warp] = false;
}

/* Out of line and cold: most runs have no recorder, and the stages keep their registers. */
void timeline_add(struct timeline_step *step, enum timeline_stage stage, uint64_t first,
                  uint64_t last) __attribute__((cold));

/* The stage lasts from `first` to `last`, or goes on. `step` NULL: nobody watches. */
static inline void timeline_note(struct timeline_step *step, enum timeline_stage stage,
                                 uint64_t first, uint64_t last)
{
    if (step)
        timeline_add(step, stage, first, last);
}

#endif
