/* elements.h - which bytes of an array are one element: found from the distances of accesses. */
#ifndef WARPLENS_OBSERVE_ELEMENTS_H
#define WARPLENS_OBSERVE_ELEMENTS_H

#include "result/observation.h"
#include "stream/stream.h"

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
