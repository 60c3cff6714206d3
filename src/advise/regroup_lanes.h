/* regroup_lanes.h - what a thread of a changed launch does: parts of what recorded threads do. Internal
 * to regroup.
 */
#ifndef WARPLENS_ADVISE_REGROUP_LANES_H
#define WARPLENS_ADVISE_REGROUP_LANES_H

#include "advise/regroup_group.h"
#include "advise/regrouping.h"

/* A step of a thread. What it is comes from one record, and where it goes from another one of the same
 * site: a thread that begins a loop elsewhere does so with the instructions of a beginning. */
struct lane_step {
    uint32_t control, address; /* indices of kept records */
    uint32_t more_work;        /* of ends that are none any more */
    uint8_t lane;              /* of the records */
    bool waits;                /* for all loads before it */
};

struct lane_steps {
    struct lane_step *steps; /* the end of its warp is the last */
    size_t count, room;
    bool exists;
    struct thread_origin last; /* the last recorded thread of which it does something */
};

/* A group's loop, by thread: its iterations have the same sites in the same order. */
struct lane_loop {
    uint32_t first, iterations, length; /* items before it, how often, items each time */
};

struct lanes {
    const struct regrouping *regrouping;
    const struct group *group;
    struct launch_shape from, to;
    const uint8_t *widths;   /* REGROUP_VECTOR, by site: of the accesses as they become */
    struct lane_loop *loops; /* REGROUP_DEAL, by thread; owned */
    uint32_t *order;         /* REGROUP_SORT: recorded threads, as the new ones have them; owned */
    const char *refusal;     /* NULL; or why the group cannot be regrouped */
};

/* The group is closed. False: lanes->refusal says why. lanes_end is due in any case. */
bool lanes_begin(struct lanes *lanes, size_t site_count);
void lanes_end(struct lanes *lanes);

/* Fills what thread `thread` of the group's new block `block` does. False: lanes->refusal says why. */
bool lanes_fill(struct lanes *lanes, const struct thread_origin *thread, struct lane_steps *steps);

#endif
