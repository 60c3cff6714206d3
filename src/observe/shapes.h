/* shapes.h - accesses of a place in the source that no rule tells apart are one shape. */
#ifndef WARPLENS_OBSERVE_SHAPES_H
#define WARPLENS_OBSERVE_SHAPES_H

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

#endif
