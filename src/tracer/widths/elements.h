/* elements.h - of which types the arrays of a launch are, and what else reaches them, as far as the kernel's parameters say.
 *
 * Compilers for GPUs join accesses to the members of a struct where its type is aligned; that an address happens to be is not
 * enough. Machine code of the host does not show types, a kernel's parameters do: `float4 *p` says of its array that it
 * consists of pieces of 16 bytes. `__restrict__` says that nothing else reaches its array, or, of a pointer to const, that nothing
 * is stored there.
 */
#ifndef WARPLENS_TRACER_WIDTHS_ELEMENTS_H
#define WARPLENS_TRACER_WIDTHS_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* The launch whose elements wl_launch_elements has said begins; it has ended. */
void elements_begin(void);
void elements_end(void);
/* How many parameters its kernel has; PARAMETERS_USUAL where that was not said. */
enum { PARAMETERS_USUAL = 3 };
unsigned elements_parameters(void);
/* Whether any array of the launch consists of aligned structs. */
bool elements_are_there(void);
/* What the elements at that simulated address are aligned to; 0 where that is not known, or they are no structs. */
unsigned elements_log2(uint64_t addr);

/* What the parameters say of an address's array. */
struct reach {
    uint8_t array;    /* 1 + its number; 0: nothing is known */
    bool is_alone;    /* each pointer to it is a __restrict__ one */
    bool is_constant; /* ... to const */
};
struct reach elements_reach(uint64_t addr);

#endif
