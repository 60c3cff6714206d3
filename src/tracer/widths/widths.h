/* widths.h - neighbouring words of shared memory, and members of structs in global memory, that a lane accesses one by one,
 * and the compiler for the GPU in one access.
 */
#ifndef WARPLENS_TRACER_WIDTHS_WIDTHS_H
#define WARPLENS_TRACER_WIDTHS_WIDTHS_H

#include "machine_code/address_form.h"
#include "machine_code/code_region.h"
#include "tracer/engine.h"

/* What the code says of the address of an access. */
struct width_site {
    struct address_form
        form; /* `at` is the program counter of events; so are the counters' heads */
    uint32_t function;
    bool may_join; /* another access of its block is near, or it is itself in the next iteration */
};

/* sites.c: the site at an event's program counter; NULL for those that never join another. */
const struct width_site *widths_site(uint32_t pc);
/* Whether the address of the access at an event's program counter is one for all threads of a block, by its computation,
 * if the function is a kernel. */
bool widths_address_is_uniform(uint32_t pc);
/* The same whether it joins another or not; NULL where the code does not tell. */
const struct width_site *widths_form(uint32_t pc);
struct code_region widths_region(uint32_t pc);
/* Whether the local access at an event's program counter is none: compilers for GPUs have the array in registers. */
bool widths_is_in_register(uint32_t pc);
/* Whether that loop, which an event jumps back in from the program counter `from`, goes round a constant number of
 * times: compilers for GPUs unroll it. */
bool widths_loop_is_constant(uint32_t head, uint32_t from);
/* The same of any loop of a function that was entered, by its head. */
bool widths_head_is_constant(uint32_t head);
/* The most that compilers for GPUs make of it. */
enum loop_kind widths_most_of_head(uint32_t head);
/* Of a loop, by its head, what struct address_loop has; size 0: nothing is known. */
struct code_loop {
    uint32_t head, size;
    bool is_straight;
};
struct code_loop widths_loop_of_head(uint32_t head);
/* A launch begins: no function of it has been entered. */
void widths_launch(void);
/* Whether any site of the functions that the launch has entered so far may join another. */
bool widths_has_sites(void);
/* Called where a function begins whose first block is at the return address `pc`. */
void widths_enter_function(uintptr_t pc);

#define WIDTHS_GONE UINT64_MAX /* the meta of an event that another has taken in */

/* What of addresses the outcome depends on: that of the lane, before anything is joined. */
struct width_outcome {
    bool at_arrays; /* where arrays begin and end, or what they are of */
    unsigned count;
    uint16_t rows[EVENT_ROWS];
    bool is_place[EVENT_ROWS]; /* in the code; else of memory, up to a distance of whole pieces */
    uint64_t addr[EVENT_ROWS];
};

/* widths.c: joins the events of a lane's column; those that are gone are still there. Whether any is. */
bool widths_join_lane(unsigned column, unsigned count, struct width_outcome *outcome);

/* lanes.c: joins the events of lanes `run` of the warp that runs, so many in each; how many are left goes to `counts`. */
void widths_join(uint32_t run, uint16_t *counts);

#endif
