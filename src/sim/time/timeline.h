/* timeline.h - what the warps of one block did when: the recorder of the model of time.
 *
 * A block is watched for a launch. Each step of its warps (an access, a barrier, the end) becomes one entry with
 * the times at which the model itself had it at its stages; none is made up afterwards. An access of several
 * requests has the first and the last of them.
 *
 * Memory is bounded: the first TIMELINE_STEPS_MAX steps are kept, in the order in which warps turn to
 * them, and the others counted.
 *
 * Off, it costs one comparison an event and one with NULL at each stage.
 */
#ifndef WARPLENS_SIM_TIME_TIMELINE_H
#define WARPLENS_SIM_TIME_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time/steps.h"
#include "sim/time/ticks.h"

enum { TIMELINE_STEPS_MAX = 4096 };

enum timeline_stage {
    /* What the warp does. */
    TIMELINE_LOADS,   /* waits for earlier loads */
    TIMELINE_ISSUE,   /* has its instructions issued */
    TIMELINE_PAGES,   /* waits for pages of managed memory */
    TIMELINE_QUEUE,   /* waits behind another warp that has the load/store unit */
    TIMELINE_SEND,    /* from coming to the load/store unit until it can go on */
    TIMELINE_BARRIER, /* from coming to the barrier until it goes on */
    TIMELINE_ENDED,   /* the moment of its end */
    /* What becomes of its access. */
    TIMELINE_UNIT,     /* the load/store unit is taken: passes, and standing still */
    TIMELINE_L1,       /* lines are looked up in the SM's caches: when each leaves the unit */
    TIMELINE_CROSSBAR, /* the crossbar begins with a request */
    TIMELINE_ARRIVAL,  /* a request is at its L2 slice, or where there is no L2 at its partition */
    TIMELINE_L2,       /* the slice begins with it; on the other side of the L2 as well */
    TIMELINE_DRAM,     /* its data begins to move; a store's partition takes it */
    TIMELINE_HOST,     /* PCIe begins with it */
    TIMELINE_DATA,     /* its data is back at the SM; a store is taken */
    TIMELINE_STAGES,
};

/* Ticks; the first and the last of something that happens several times. */
struct timeline_span {
    uint64_t first, last;
};

struct timeline_step {
    uint8_t kind, op, space; /* enum step_kind, mem_op, mem_space */
    uint8_t warp;
    uint8_t lanes;             /* active ones */
    uint16_t passes, requests; /* as in struct footprint: passes, count */
    uint32_t site;             /* accesses */
    uint32_t work;             /* instructions */
    uint64_t turn;             /* ticks: the warp turns to it */
    bool has[TIMELINE_STAGES]; /* it has been there */
    struct timeline_span span[TIMELINE_STAGES];
};

struct timeline {
    uint32_t block, sm, warp_count;      /* warp_count: 0 until the block begins */
    bool awaited;                        /* it may still begin */
    uint64_t launch_began, began, ended; /* ticks: the launch, the block */
    size_t count;                        /* steps kept */
    uint64_t left_out;                   /* further ones */
    uint64_t left_out_from;              /* ticks: the first of those */
    struct timeline_step steps[TIMELINE_STEPS_MAX];
    /* By warp: the step under way or, at a barrier, the last one; NULL: none, or it is not kept. */
    struct timeline_step *latest[STEP_WARPS_MAX];
    bool under_way[STEP_WARPS_MAX];
};

/* NULL when memory is short. */
struct timeline *timeline_new(uint32_t block);

/* The block begins. */
void timeline_begin(struct timeline *timeline, uint32_t sm, uint32_t warp_count,
                    uint64_t launch_began, uint64_t now);

/* The step that a warp has its event with, NULL when it is not kept. Begins it unless it is under way. */
struct timeline_step *timeline_turn(struct timeline *timeline, uint32_t warp,
                                    const struct step *step, uint64_t now);
/* The warp is through with it. */
static inline void timeline_done(struct timeline *timeline, uint32_t warp)
{
    timeline->under_way[warp] = false;
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

static inline bool timeline_has(const struct timeline_step *step, enum timeline_stage stage)
{
    return step->has[stage];
}

#endif
