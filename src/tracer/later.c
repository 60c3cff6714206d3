/* later.c - a queue. What a failed kernel leaves in it is launched in vain: launch.c refuses it. */
#include "tracer/later.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"

static struct later_launch *first, **end = &first;

WORK_COST_0 bool wl_in_kernel(void)
{
    return engine.current != NULL;
}

WORK_COST_0 void wl_copy_bytes(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void wl_launch_later(const char *name, void (*call)(const void *data), void *data, dim3 grid,
                     dim3 block, size_t dynamic_shared_bytes)
{
    struct later_launch *later = malloc(sizeof *later);
    if (later == NULL || data == NULL) {
        free(later);
        free(data);
        engine_fail_lane((uintptr_t)__builtin_return_address(0),
                         "no memory for a launch by a kernel");
    }
    *later = (struct later_launch){.name = name,
                                   .call = call,
                                   .data = data,
                                   .grid = grid,
                                   .block = block,
                                   .dynamic_shared_bytes = dynamic_shared_bytes};
    engine.depends_on_more = true;
    *end = later;
    end = &later->next;
}

struct later_launch *later_take(void)
{
    struct later_launch *later = first;
    if (later == NULL)
        return NULL;
    first = later->next;
    if (first == NULL)
        end = &first;
    return later;
}

void later_free(struct later_launch *later)
{
    free(later->data);
    free(later);
}
