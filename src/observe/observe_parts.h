/* observe_parts.h - what the files of observations share. */
#ifndef WARPLENS_OBSERVE_OBSERVE_PARTS_H
#define WARPLENS_OBSERVE_OBSERVE_PARTS_H

#include "result/observation.h"
#include "sim/rules/judge.h"
#include "stream/stream.h"

/* Whether no rule tells the accesses apart. */
bool shape_is_same(const struct warp_access *a, const struct warp_access *b);

/* Adds an access to its place; shapes that have to go are settled with `judges`. */
void shapes_add(struct observed_place *place, const struct warp_access *access, const char *array,
                uint64_t order, struct judge *judges, size_t gpu_count);
/* Settles the shapes that are left. */
void shapes_finish(struct observed_place *place, struct judge *judges, size_t gpu_count);

/* Looks for elements of global arrays, site by site. */
struct element_finder;
struct element_finder *elements_new(void);
void elements_free(struct element_finder *finder);
/* False when memory is short. */
bool elements_launch(struct element_finder *finder, const struct launch_info *launch);
void elements_add(struct element_finder *finder, const struct warp_access *access);
/* Fills observation->elements; false when memory is short. */
bool elements_finish(const struct element_finder *finder, const struct trace_site *sites,
                     struct observation *observation);

#endif
