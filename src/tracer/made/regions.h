/* regions.h - a function of the host's machine code as loops in each other, and which of nvcc's loops each is. */
#ifndef WARPLENS_TRACER_MADE_REGIONS_H
#define WARPLENS_TRACER_MADE_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "warplens/nvcc_facts.h"

enum { REGIONS_MAX = 128, REGION_WORK_ONE = 256 };

/* Code between jumps back, without that of the loops in it. Region 0 is the function's, in no loop. */
struct region {
    uintptr_t begin, end; /* with the loops in it */
    bool is_made;         /* nvcc's loop is known, by accesses */
    bool is_shared;       /* and so is `work` */
    uint32_t loop;        /* of nvcc's */
    uint32_t times;       /* so many of its iterations are one of nvcc's loop */
    uint32_t estimated;   /* instructions of an iteration */
    uint32_t work;        /* what these are really, in parts of REGION_WORK_ONE */
};

struct regions {
    const struct wl_nvcc_kernel *kernel;
    uintptr_t begin, end;
    uint32_t count;  /* 0: not known */
    bool has_others; /* nvcc has loops that are none of these by their accesses */
    struct region regions[REGIONS_MAX];
};

/* The function at [begin, end), as a part of the kernel. */
void regions_read(struct regions *r, const struct wl_nvcc_kernel *kernel, uintptr_t begin,
                  uintptr_t end);

/* The innermost region around a place in the function. */
const struct region *regions_at(const struct regions *r, uintptr_t pc);

#endif
