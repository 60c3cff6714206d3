/* timeline_segments.h - a block's timeline as segments with colours and letters: what its text and its picture
 * share. */
#ifndef WARPLENS_REPORT_TIMELINE_SEGMENTS_H
#define WARPLENS_REPORT_TIMELINE_SEGMENTS_H

#include "result/result.h"

enum timeline_shade {
    /* What a warp does. */
    SHADE_TURN,
    SHADE_ISSUE,
    SHADE_QUEUE,
    SHADE_SEND,
    SHADE_LOADS,
    SHADE_PAGES,
    SHADE_BARRIER,
    /* Where an access is. */
    SHADE_UNIT,
    SHADE_OUT,
    SHADE_SLICE,
    SHADE_DRAM,
    SHADE_FROM_SM,
    SHADE_FROM_OTHER,
    SHADE_FROM_L2,
    SHADE_FROM_DRAM,
    SHADE_FROM_HOST,
    SHADE_COUNT,
    SHADE_ACCESS = SHADE_UNIT, /* the first of these */
};

struct shade {
    char letter;       /* in text */
    const char *class; /* in pictures */
    const char *words; /* for legends */
    const char *name;  /* of what a warp does: for sums */
};
extern const struct shade timeline_shades[SHADE_COUNT];

struct timeline_segment {
    enum timeline_shade shade;
    uint64_t begin, end; /* ticks */
};
enum { TIMELINE_SEGMENTS_MAX = 8 };

/* What the warp does during a step, in order; and where its access is, one after the other. Both return how
 * many there are. */
size_t timeline_doings(const struct timeline_step *step,
                       struct timeline_segment segments[TIMELINE_SEGMENTS_MAX]);
size_t timeline_trip(const struct timeline_step *step,
                     struct timeline_segment segments[TIMELINE_SEGMENTS_MAX]);

/* Where the data of a load or atomic comes from: the farthest place that one of its requests went to. */
enum timeline_shade timeline_source(const struct timeline_step *step);
const char *timeline_source_name(enum timeline_shade source);

/* Whether anybody waits for it. */
static inline bool timeline_is_load(const struct timeline_step *step)
{
    return step->kind == STEP_ACCESS && step->op != OP_STORE;
}

/* Ticks from the load/store unit's beginning with an access until its last data is there. */
static inline uint64_t timeline_latency(const struct timeline_step *step)
{
    return step->span[TIMELINE_DATA].last - step->span[TIMELINE_UNIT].first;
}

/* Until when no warp has begun more than `warp_steps` steps, nor the block more than `steps`, and all of them are
 * kept; at most the block's end. */
uint64_t timeline_until(const struct timeline *timeline, uint32_t warp_steps, size_t steps);

/* "loads 91 %, instructions 2 %": what the warps do, of their time until then. */
enum { TIMELINE_SHARES_BYTES = 256 };
void timeline_shares(const struct timeline *timeline, uint64_t until,
                     char text[TIMELINE_SHARES_BYTES]);

/* Cycles since the block began. */
static inline double timeline_cycles(const struct timeline *timeline, uint64_t ticks)
{
    return ((double)ticks - (double)timeline->began) / TICKS_PER_CYCLE;
}

/* The least step of 1, 2, 5, 10, ... that parts `length` into at most `parts`. */
uint64_t timeline_round_step(double length, uint32_t parts);

/* What a step is that is no access: in JSON, and in words. Of STEP_ACCESS the words stand for one whose site is not known. */
struct timeline_step_words {
    const char *key, *words;
};
extern const struct timeline_step_words timeline_step_words[];

/* "transpose.c:46 global load tile" of an access; "barrier", "end". */
enum { TIMELINE_NAME_BYTES = 160 };
void timeline_name(const struct result *r, const struct timeline_step *step,
                   char text[TIMELINE_NAME_BYTES]);

#endif
