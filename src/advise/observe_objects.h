/* observe_objects.h - which array an access belongs to. Internal to observe. */
#ifndef WARPLENS_ADVISE_OBSERVE_OBJECTS_H
#define WARPLENS_ADVISE_OBSERVE_OBJECTS_H

#include "advise/observe.h"

/* A launch's arrays become objects, once. */
void observed_add_arrays(struct observed *observed, const struct launch_info *launch);

/* The object of an access that begins at `addr`, of a launch of `kernel`; NULL when there are too many. */
struct object *observed_object_of(struct observed *observed, const char *kernel,
                                  const struct warp_access *a, uint64_t addr);

#endif
