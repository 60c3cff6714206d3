/* repeats.h - the inside of the tracer: launches that do again what an earlier one has done. */
#ifndef WARPLENS_TRACER_REPEATS_H
#define WARPLENS_TRACER_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplens/cuda.h"

/* What cudaLaunchKernelEx says of a launch besides. */
struct launch_extra {
    dim3 cluster; /* x 0: not said */
    bool is_cooperative;
};

enum { LAUNCH_ARGUMENT_BYTES = 4096 }; /* CUDA's limit */

/* What a launch is, but for the contents of memory. */
struct launch_key {
    const char *name;
    void (*call)(const void *arguments);
    const void *kernel;
    dim3 grid, block;
    size_t dynamic_shared_bytes;
    bool is_cooperative;
    struct launch_extra extra;
    uint64_t objects_destroyed; /* before it: a kernel cannot fetch from these */
    bool has_arguments;         /* and they are known */
    size_t argument_bytes;
    unsigned char arguments[LAUNCH_ARGUMENT_BYTES];
};

enum launch_way {
    LAUNCH_TRACED,
    LAUNCH_MUTED,   /* it runs, without records */
    LAUNCH_REPEATS, /* it need not run, and has the figures of the one it repeats */
    LAUNCH_NOT_RUN, /* it need not run, and nobody wants its figures */
};

void repeats_start(void);
/* What wl_launch_arguments has said of the launch that begins. */
void repeats_take_arguments(struct launch_key *key);
/* How the launch goes on. *may_repeat: its figures may be repeated. */
enum launch_way repeats_choose(const struct launch_key *key, bool is_wanted, bool *may_repeat);
/* LAUNCH_REPEATS: how many launches ago the one was that it repeats. */
uint64_t repeats_distance(void);
/* The launch of the latest repeats_choose has run; is_fine: without a fault. */
void repeats_note(bool is_fine, bool may_repeat);

#endif
