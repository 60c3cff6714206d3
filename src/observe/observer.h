/* observer.h - a filter in front of a sink that makes an observation of what passes. */
#ifndef WARPLENS_OBSERVE_OBSERVER_H
#define WARPLENS_OBSERVE_OBSERVER_H

#include "result/observation.h"
#include "sim/rules/judge.h"
#include "stream/stream.h"
#include "stream/filter.h"

struct element_finder;

struct observer {
    struct trace_filter filter; /* first: see filter.h */
    struct judge *judges;       /* one a GPU, each with one site */
    size_t gpu_count;
    uint32_t only_line; /* 0: all */
    const struct trace_site *const
        *sites;         /* where the run's are kept; they outlive the observation */
    uint32_t *place_of; /* by site: 1 + its place; 0: not looked up yet; UINT32_MAX: left out */
    size_t site_room;
    uint64_t accesses;
    struct observation *observation;
    struct element_finder *elements; /* NULL: not looked for */
    bool failed;                     /* memory was short */
};

/* Observes under `arches`. `sites`: where the run's sites are found when an access comes (the pointer
 * may change when `next` takes a site). With only_line: shapes of that line's accesses alone, and no
 * elements. False when memory is short or a GPU has no rules; observer_free in any case. */
bool observer_start(struct observer *observer, const struct arch *const *arches, size_t gpu_count,
                    const struct trace_site *const *sites, uint32_t only_line);
struct trace_sink observer_sink(struct observer *observer, const struct trace_sink *next);
/* What was seen, the caller's to free; NULL when memory was short. */
struct observation *observer_finish(struct observer *observer);
void observer_free(struct observer *observer);

#endif
