/* timeline.h - what the warps of one block did when.
 *
 * Each step of the block's warps (an access, a barrier, the end) is one entry with the times at which the model
 * of time had it at its stages. An access of several requests has the first and the last of them.
 */
#ifndef WARPLENS_RESULT_TIMELINE_H
#define WARPLENS_RESULT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include "result/ticks.h"

enum {
    STEP_WARPS_MAX = 128,      /* of a block */
    TIMELINE_STEPS_MAX = 4096, /* later ones are counted only */
};

enum step_kind {
    STEP_ACCESS,
    STEP_BARRIER,
    STEP_END,
    STEP_COPY_COMMIT,
    STEP_COPY_WAIT,
    STEP_BULK_COMMIT,
    STEP_BULK_WAIT,
    STEP_PHASE_ARRIVE,
    STEP_PHASE_WAIT,
    STEP_PRODUCT,
    STEP_PRODUCT_COMMIT,
    STEP_PRODUCT_WAIT
};

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
    uint8_t kind, op, word, space; /* enum step_kind, mem_op, access_word, mem_space */
    uint8_t warp;
    uint8_t lanes;             /* active ones */
    uint16_t passes, requests; /* as in struct footprint: passes, count */
    uint32_t site;             /* accesses */
    uint32_t work;             /* instructions */
    uint64_t turn;             /* ticks: the warp turns to it */
    bool has[TIMELINE_STAGES]; /* it has been there */
    struct timeline_span span[TIMELINE_STAGES];
};

/* One block of memory: free() frees it. */
struct timeline {
    uint32_t block, sm, warp_count;
    uint64_t launch_began, began, ended; /* ticks: the launch, the block */
    uint64_t left_out;                   /* further steps */
    uint64_t left_out_from;              /* ticks: the first of those */
    size_t count;                        /* steps kept, in the order in which warps turn to them */
    struct timeline_step steps[];
};

static inline bool timeline_has(const struct timeline_step *step, enum timeline_stage stage)
{
    return step->has[stage];
}

#endif
