/* call_cost.h - how many instructions of a GPU a call from a kernel stands for. */
#ifndef WARPLENS_TRACER_CALL_COST_H
#define WARPLENS_TRACER_CALL_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Of a function of the runtime, or of WL_ARITHMETIC; -1 for other functions. */
int call_cost(uintptr_t function);

/* ... for which this says it: a function of mathematics behind a stub of the program's, or one of its own, whose blocks count for themselves. */
unsigned call_cost_of_other(uintptr_t function);

/* The cycles that the call holds its warp up (lag.h). */
unsigned call_lag(uintptr_t function);

/* It is a function of WL_ARITHMETIC. */
bool call_is_arithmetic(uintptr_t function);

#endif
