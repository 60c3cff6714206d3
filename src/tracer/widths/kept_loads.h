/* kept_loads.h - loads that a lane repeats in each iteration of a loop, and the compiler for the GPU makes once in front of it.
 *
 * The code shows which ones (kept_form.c). Only in programs, and not where values are wanted, as in widths.c.
 */
#ifndef WARPLENS_TRACER_WIDTHS_KEPT_LOADS_H
#define WARPLENS_TRACER_WIDTHS_KEPT_LOADS_H

#include "machine_code/address_form.h"

/* A load that is made in front of a loop. */
void kept_loads_add(const struct address_form *form);
/* A run begins: sets engine.keeps_loads. */
void kept_loads_start(void);
/* engine.keeps_loads: whether the running lane has what it loads at `pc`, of constant memory or other, from an iteration before. Asked
 * once a load. */
bool kept_loads_has(uintptr_t pc, bool is_constant);
/* The running lane comes to a watched block (work.h), from which it may enter such loops. */
void kept_loads_enter(uintptr_t pc);
/* What a function at that distance from the beginning of the code does to memory. */
enum address_call kept_loads_kind_of(size_t function);

#endif
