/* cluster_launch.h - the inside of the tracer: which clusters a launch has, and what else cudaLaunchKernelEx says of it. */
#ifndef WARPLENS_TRACER_CLUSTER_LAUNCH_H
#define WARPLENS_TRACER_CLUSTER_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/repeats.h"
#include "tracer/runtime/runtime.h"

/* Attributes of the launch that follows; and takes them. */
void launch_note_extra(const struct launch_extra *extra);
struct launch_extra launch_take_extra(void);

/* What the launch that engine describes has; refuses it where that is contradictory. Needs engine.kernel, .call and .arguments. */
bool cluster_set_up(const struct launch_key *key);
/* Whether the GPU has it; refuses it otherwise. */
bool cluster_is_possible(const struct cudaDeviceProp *device);
/* The lane that is asked has entered its kernel, at `pc`: it is given up. */
void launch_probed(uintptr_t pc);

#endif
