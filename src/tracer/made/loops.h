/* loops.h - what NVIDIA's compiler has made of the loops of the kernel that runs, and of the code around them. */
#ifndef WARPLENS_TRACER_MADE_LOOPS_H
#define WARPLENS_TRACER_MADE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

/* `head`: where the host's loop begins, the return address of its first block. Sets how many of the loop's iterations' loads
 * are under way together, 0: all. False, and nothing is set, when nvcc was not asked, or has no such loads. */
bool made_loop_together(uintptr_t head, uint32_t *together);

/* Whether the instructions of the code there are nvcc's. */
bool made_is_known(uintptr_t pc);

/* How many instructions a piece of the host's code is, which has been estimated: as nvcc has the loop that it is in. */
unsigned made_work(uintptr_t pc, unsigned estimated);

#endif
