/* math_cost.h - how many GPU instructions a call of a function of mathematics stands for. */
#ifndef WARPLENS_TRACER_MATH_COST_H
#define WARPLENS_TRACER_MATH_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Of the function at that address, or that the program's stub at that address jumps to, as calls of shared libraries do;
 * 1 of any other. The address lies in the program's code. */
unsigned math_cost(uintptr_t function);
/* Whether it is the C library's mathematics, which change no memory but what they are given a pointer to. */
bool math_is_mathematics(uintptr_t function);

#endif
