/* loops.h - the loops of a kernel's machine code. */
#ifndef WARPLENS_NVCC_LOOPS_H
#define WARPLENS_NVCC_LOOPS_H

#include "nvcc/kernels.h"

/* Of `count` instructions at `code`: which loop each is in (0: none; UINT16_MAX: behind the kernel's own code), in
 * in_loop[0] to in_loop[count - 1], and kernel->loops. False when memory ran out. */
bool loops_find(const uint8_t *code, size_t count, int sm, uint16_t *in_loop,
                struct nvcc_kernel *kernel);

#endif
