/* needed.h - which of the loads that a warp has made just before the address of an access is computed from, as machine code tells.
 *
 * Where dependence.h finds nothing in the values: addresses that hashes, comparisons and tables make. Programs on x86-64 alone.
 */
#ifndef WARPLENS_TRACER_NEEDED_H
#define WARPLENS_TRACER_NEEDED_H

#include <stdbool.h>
#include <stdint.h>

#include "machine_code/value_flow.h"

enum { NEEDED_LOADS = 16 }; /* a warp has no more under way */

/* The loads of a warp since its last barrier. */
struct needed_loads {
    uint32_t count, jumped_at; /* all of them; those in front of the latest jump back of a loop */
    /* Load i at i modulo NEEDED_LOADS: 1 + its index among those that are known; 0: none. */
    uint16_t load[NEEDED_LOADS];
};

/* What a function's code tells of the load at that place, by its number in the function. Functions have numbers of their own. */
void needed_add(uintptr_t pc, uint32_t function, unsigned number, struct flow needed);

/* Which of the warp's latest loads a load at that place needs: bit i is that i others followed. Of each of its code's loads it is the
 * latest one. */
uint16_t needed_find(const struct needed_loads *loads, uintptr_t pc);

/* The address of a load at that place, and whether it is made, do not come from an atomic, as far as code tells. */
bool needed_of_no_call(uintptr_t pc);

/* Adds the load at that place. */
void needed_note(struct needed_loads *loads, uintptr_t pc);

/* Lanes jump back in a loop. */
static inline void needed_jump(struct needed_loads *loads)
{
    loads->jumped_at = loads->count;
}

#endif
