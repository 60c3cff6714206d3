/* observe_kernels.c - sums over the accesses of each kernel's launches. */
#include "advise/observe_kernels.h"

#include <string.h>

#include "advise/observe.h"
#include "text/list.h"

bool kernels_begin(struct observed *observed, const struct launch_info *launch)
{
    struct kernel_seen *list = observed->kernels;
    size_t i = 0;
    while (i < observed->kernel_count &&
           (strcmp(list[i].name, launch->kernel) != 0 ||
            memcmp(list[i].block, launch->block, sizeof launch->block) != 0))
        i++;
    if (i == observed->kernel_count) {
        if (!LIST_MAKE_ROOM(observed->kernels, i, observed->kernel_room))
            return false;
        observed->kernels[observed->kernel_count++] = (struct kernel_seen){.name = launch->kernel};
        memcpy(observed->kernels[i].grid, launch->grid, sizeof launch->grid);
        memcpy(observed->kernels[i].block, launch->block, sizeof launch->block);
    }
    observed->kernels[i].launches++;
    observed->kernel = i;
    return true;
}

void kernels_see_access(struct observed *observed, const struct warp_access *a, uint16_t object,
                        uint32_t visits)
{
    struct kernel_seen *kernel = &observed->kernels[observed->kernel];
    kernel->accesses++;
    kernel->lanes += (uint64_t)__builtin_popcount(a->active);
    if (a->space == SPACE_GLOBAL && a->op == OP_LOAD) {
        kernel->loads++;
        kernel->waiting_loads +=
            a->loads_left == 0 && !(a->flags & (ACCESS_UNROLLED | ACCESS_FLATTENED));
    }
    kernel->has_shared |= a->space == SPACE_SHARED;
    kernel->has_atomics |= a->op == OP_ATOMIC;
    kernel->is_fixed |= a->space == SPACE_LOCAL;
    kernel->most_visits = visits > kernel->most_visits ? visits : kernel->most_visits;
    uint16_t *of_site = &observed->kernel_of_site[a->site];
    if (*of_site != observed->kernel + 1)
        *of_site = *of_site ? SEVERAL_KERNELS : (uint16_t)(observed->kernel + 1);
    if (object < KERNEL_OBJECTS)
        kernel->objects[object / 64] |= UINT64_C(1) << object % 64;
}

void kernels_see_event(struct observed *observed, const struct trace_event *event)
{
    observed->kernels[observed->kernel].has_barriers |= event->kind == TRACE_BARRIER;
}

bool kernel_has_object(const struct kernel_seen *kernel, size_t object)
{
    return object < KERNEL_OBJECTS && (kernel->objects[object / 64] >> object % 64 & 1U) != 0;
}
