/* observe_kernels.h - what a run shows of its kernels: shapes of launches, and who does how much. */
#ifndef WARPLENS_ADVISE_OBSERVE_KERNELS_H
#define WARPLENS_ADVISE_OBSERVE_KERNELS_H

#include "stream/stream.h"

enum { KERNEL_OBJECTS = 256 };

/* The launches of a kernel with blocks of one shape. */
struct kernel_seen {
    const char *name;
    uint32_t grid[3], block[3]; /* grid: of the first launch */
    uint64_t launches;
    bool has_barriers, has_shared, has_atomics;
    bool is_fixed;            /* it has what threads cannot take along, such as local memory */
    uint64_t accesses, lanes; /* of warps; active lanes, summed */
    uint64_t loads,
        waiting_loads;    /* of global memory; those in front of which all others are waited for */
    uint32_t most_visits; /* of a warp to one site in one block, as far as looked at */
    uint64_t objects[KERNEL_OBJECTS / 64]; /* bit i: it has an access to object i */
};

struct observed;

enum { SEVERAL_KERNELS = UINT16_MAX };

/* The current launch's, in observed->kernels; false without memory. */
bool kernels_begin(struct observed *observed, const struct launch_info *launch);
void kernels_see_access(struct observed *observed, const struct warp_access *a, uint16_t object,
                        uint32_t visits);
void kernels_see_event(struct observed *observed, const struct trace_event *event);

bool kernel_has_object(const struct kernel_seen *kernel, size_t object);

#endif
