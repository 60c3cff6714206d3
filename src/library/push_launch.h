/* push_launch.h - a launch with texts and arrays of its own, for as long as it runs. */
#ifndef WARPLENS_LIBRARY_PUSH_LAUNCH_H
#define WARPLENS_LIBRARY_PUSH_LAUNCH_H

#include "library/library.h"

struct push_launch {
    struct launch_info info;
    char *kernel;
    struct trace_array *arrays; /* by address */
    uint32_t warp_count;
};

/* Copies and checks what the guard does not: false, and the run's message says what is wrong. */
bool push_launch_start(struct push_launch *launch, struct warplens_run *run,
                       const struct warplens_launch *from);
void push_launch_free(struct push_launch *launch);

/* The lanes that a warp has. */
uint32_t push_launch_lanes(const struct push_launch *launch, uint32_t warp);

/* The array of that name, or, when it is NULL, at that address; NULL: there is none. */
const struct trace_array *push_launch_array(const struct push_launch *launch, const char *name,
                                            uint64_t address);

/* Whether a text is short and printable enough for reports; NULL is. */
bool push_text_is_plain(const char *text);

#endif
