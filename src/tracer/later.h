/* later.h - launches that a kernel makes (dynamic parallelism): kept until it has ended, in the order
 * in which lanes came to them. CUDA lets a grid that a kernel launches begin at any time from there on,
 * and ends the kernel's own grid when all of those have ended.
 */
#ifndef WARPLENS_TRACER_LATER_H
#define WARPLENS_TRACER_LATER_H

#include "warplens/cuda_calls.h"

struct later_launch {
    struct later_launch *next;
    const char *name;
    void (*call)(const void *data);
    void *data; /* owned */
    dim3 grid, block;
    size_t dynamic_shared_bytes;
};

/* The next one, the caller's to free; NULL: there is none. */
struct later_launch *later_take(void);
void later_free(struct later_launch *later);

#endif
