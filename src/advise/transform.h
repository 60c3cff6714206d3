/* transform.h - a sink in front of a sink, that hands on accesses as a change makes them. */
#ifndef WARPLENS_ADVISE_TRANSFORM_H
#define WARPLENS_ADVISE_TRANSFORM_H

#include "advise/managed_change.h"
#include "stream/filter.h"

enum { TRANSFORM_WARPS_MAX = 32 };

/* What became of a warp's accesses: those that a wide one has taken in. */
struct transformed_warp {
    uint64_t dropped; /* bit i: the load i loads ago is no more */
    uint32_t work;    /* of dropped accesses, for the next step */
    struct {
        uint64_t element;
        uint32_t active;
        uint16_t object;
        uint8_t op;
        bool is_set;
    } wide; /* the last wide access, and the fields that it stands for until a field comes again */
    uint32_t fields_taken;
};

struct transform {
    struct trace_filter filter; /* first: the context of its functions */
    const struct change *change;
    const struct observed *observed; /* of the run that comes in */
    struct trace_array *arrays;      /* the launch's, where they are now; owned */
    size_t array_room;
    struct managed_pages pages; /* the launch's, as they are now; owned */
    bool grows;                 /* the launch's blocks have change->shared_growth bytes more */
    uint32_t block;
    struct transformed_warp warps[TRANSFORM_WARPS_MAX];
};

/* All pointers must outlive the transform. */
void transform_start(struct transform *t, const struct change *change,
                     const struct observed *observed, const struct trace_sink *next);
void transform_stop(struct transform *t);
struct trace_sink transform_sink(struct transform *t);

#endif
