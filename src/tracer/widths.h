/* widths.h - neighbouring words of shared memory, and members of structs in global memory, that a lane accesses one by one,
 * and the compiler for the GPU in one access.
 */
#ifndef WARPLENS_TRACER_WIDTHS_H
#define WARPLENS_TRACER_WIDTHS_H

#include "machine_code/address_form.h"

/* What the code says of the address of an access. */
struct width_site {
    struct address_form
        form; /* `at` is the program counter of events; so are the counters' heads */
    uint32_t function;
    bool may_join; /* another access of its block is near, or it is itself in the next iteration */
};

/* widths_sites.c: the site at an event's program counter; NULL for those that never join another. */
const struct width_site *widths_site(uint32_t pc);
/* Whether that loop, which an event jumps back in from the program counter `from`, goes round a constant number of
 * times: compilers for GPUs unroll it. */
bool widths_loop_is_constant(uint32_t head, uint32_t from);
/* Whether any site of the launch may join another. */
bool widths_has_sites(void);
/* Called where a function begins whose first block is at the return address `pc`. */
void widths_enter_function(uintptr_t pc);

/* Joins the events of lane `column` of the warp that runs, `count` of them; how many are left. */
unsigned widths_join(unsigned column, unsigned count);

#endif
