/* guard_parts.h - the inside of the guard: guard.c has the sites and launches, guard_steps.c what happens in them. */
#ifndef WARPLENS_STREAM_GUARD_PARTS_H
#define WARPLENS_STREAM_GUARD_PARTS_H

#include "stream/guard.h"

/* Notes what is wrong, with the step's number in front; false. */
bool guard_fail(struct guard *guard, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Functions of the guard's sink; `context` is the guard. */
bool guard_on_access(void *context, const struct warp_access *access);
bool guard_on_event(void *context, const struct trace_event *event);
bool guard_on_sync(void *context, const struct trace_sync *sync);
bool guard_on_copy(void *context, const struct trace_copy *copy);

#endif
