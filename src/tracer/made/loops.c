/* loops.c - functions are read when something of them is asked for first, for the kernel that runs then: one that several
 * kernels call is as the first has it. A program of more functions than there is room for keeps the estimates of the others.
 */
#include "tracer/made/loops.h"

#include <stdlib.h>

#include "tracer/engine.h"
#include "tracer/made/regions.h"

enum { FUNCTIONS_MAX = 256 };

static struct regions *functions[FUNCTIONS_MAX];
static unsigned function_count;

/* The function that holds the place; NULL when nothing is known of it. */
static const struct regions *function_of(uintptr_t pc)
{
    uintptr_t begin, end;
    for (unsigned i = 0; i < function_count; i++)
        if (pc - functions[i]->begin < functions[i]->end - functions[i]->begin)
            return functions[i];
    if (engine.made == NULL || engine.made->loop_count == 0 || function_count == FUNCTIONS_MAX ||
        !spaces_function_code(pc, &begin, &end))
        return NULL;
    struct regions *read = calloc(1, sizeof *read);
    if (read == NULL)
        return NULL;
    regions_read(read, engine.made, begin, end);
    return functions[function_count++] = read;
}

bool made_loop_together(uintptr_t head, uint32_t *together)
{
    const struct regions *function = function_of(head);
    const struct region *region = function && function->count ? regions_at(function, head) : NULL;
    if (region == NULL || !region->is_made || region == function->regions)
        return false;
    const uint32_t rounds = function->kernel->loops[region->loop].rounds;
    *together = region->loop == 0 ? 0 : region->times / (rounds ? rounds : 1);
    if (region->loop && *together == 0)
        *together = 1;
    return true;
}

unsigned made_work(uintptr_t pc, unsigned estimated)
{
    const struct regions *function = function_of(pc);
    if (function == NULL || function->count == 0)
        return estimated;
    const uint64_t work = (uint64_t)estimated * regions_at(function, pc)->work;
    return (unsigned)((work + REGION_WORK_ONE / 2) / REGION_WORK_ONE);
}

bool made_is_known(uintptr_t pc)
{
    const struct regions *function = engine.made ? function_of(pc) : NULL;
    return function && function->count && regions_at(function, pc)->is_shared;
}
