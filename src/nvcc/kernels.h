/* kernels.h - what NVIDIA's compiler has made of a program's kernels, as plain data. */
#ifndef WARPLENS_NVCC_KERNELS_H
#define WARPLENS_NVCC_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NVCC_KERNELS_MAX = 4096, NVCC_SYMBOL_MAX = 4096, NVCC_REGISTERS_MAX = 255 };

struct nvcc_kernel {
    char *symbol;       /* as nvcc mangles it: letters, digits, _ . and $; owned */
    uint32_t registers; /* of a thread, 1 to NVCC_REGISTERS_MAX */
    uint32_t
        spill_bytes; /* stored to local memory and loaded from there, by a thread, as the code has it */
};

struct nvcc_kernels {
    struct nvcc_kernel *items; /* owned */
    size_t count, room;
};

void nvcc_kernels_free(struct nvcc_kernels *kernels);

/* Adds the kernels that ptxas -v tells of in `text`, which may be anything; what is no such line, or damaged, is passed
 * over, and kernels beyond NVCC_KERNELS_MAX are left out. False when memory ran out. */
bool ptxas_text_read(const char *text, struct nvcc_kernels *kernels);

#endif
