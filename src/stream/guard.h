/* guard.h - a sink in front of a sink, that lets through only what stream/stream.h promises: what stands
 * in a trace file is not to be believed. Whatever passes can be judged and run by every model.
 */
#ifndef WARPLENS_STREAM_GUARD_H
#define WARPLENS_STREAM_GUARD_H

#include "stream/limits.h"

enum { GUARD_MESSAGE_BYTES = 320 };

struct guard {
    const struct trace_sink *next;
    uint64_t launches, accesses, events; /* let through so far */
    char message[GUARD_MESSAGE_BYTES];   /* "" until something is wrong; says which step */
    struct guard_site {
        uint8_t space, op, width;
    } * sites;
    uint32_t site_count, site_room;
    size_t site_name_bytes;
    bool in_launch, in_block;
    bool has_stopped;           /* within a launch: no other follows */
    bool has_libraries;         /* notes of calls of libraries have come */
    uint32_t fault_count;       /* of the launch */
    uint64_t block_count;       /* of the launch */
    uint64_t block;             /* the one that runs, or else the first that may come next */
    uint32_t warp_count, ended; /* ended: by bit */
    uint32_t last_warp_lanes;
    struct {
        uint64_t page, pages;     /* the first one, how many */
    } ranges[MANAGED_ARRAYS_MAX]; /* managed memory seen so far */
    uint32_t range_count;
    uint64_t page_count;
    uint64_t launch_count; /* with those that were left out */
    bool may_repeat;       /* the launch may be repeated, once it has ended */
    uint64_t repeatable[REPEATED_LAUNCHES_MAX],
        repeatable_count; /* numbers of the latest that may */
};

/* `next` must outlive the guard. */
void guard_start(struct guard *guard, const struct trace_sink *next);
void guard_free(struct guard *guard);
struct trace_sink guard_sink(struct guard *guard);

#endif
