/* kernels.h - what NVIDIA's compiler has made of a program's kernels, as plain data. */
#ifndef WARPLENS_NVCC_KERNELS_H
#define WARPLENS_NVCC_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NVCC_KERNELS_MAX = 4096,
    NVCC_SYMBOL_MAX = 4096,
    NVCC_REGISTERS_MAX = 255,
    NVCC_LOOPS_MAX = 1024,
    NVCC_LINES_MAX = 8192,
};

/* A loop of a kernel's machine code, without those in it. */
struct nvcc_loop {
    uint32_t instructions; /* 16 bytes each */
    uint32_t
        rounds; /* how many times a warp that goes round once waits for loads that it has begun in the loop */
};

/* What a source line is in a loop. A line may stand in several. */
struct nvcc_line {
    const char *file; /* without folders; owned by the kernel's `files` */
    uint32_t line, loop;
    uint32_t load_bytes, store_bytes; /* of a lane, of global and shared memory: all together */
};

struct nvcc_kernel {
    char *symbol;       /* as nvcc mangles it: letters, digits, _ . and $; owned */
    uint32_t registers; /* of a thread, 1 to NVCC_REGISTERS_MAX */
    uint32_t
        spill_bytes; /* stored to local memory and loaded from there, by a thread, as the code has it */
    struct nvcc_loop
        *loops; /* owned; loop 0 is what is in no loop; none when the code is not known */
    size_t loop_count;
    struct nvcc_line *lines; /* owned; by file, line and loop */
    size_t line_count, line_room;
};

struct nvcc_kernels {
    struct nvcc_kernel *items; /* owned */
    size_t count, room;
    char **files; /* owned; names that lines point to */
    size_t file_count, file_room;
};

void nvcc_kernels_free(struct nvcc_kernels *kernels);

/* Adds the kernels that ptxas -v tells of in `text`, which may be anything; what is no such line, or damaged, is passed
 * over, and kernels beyond NVCC_KERNELS_MAX are left out. False when memory ran out. */
bool ptxas_text_read(const char *text, struct nvcc_kernels *kernels);

/* Adds loops and lines to the kernels from `first` on, whose code is in the file of `bytes` bytes, which may be anything and is
 * changed. Kernels whose code is not there, or too long, keep none. False when memory ran out. */
bool cubin_read(uint8_t *file, size_t bytes, int sm, struct nvcc_kernels *kernels, size_t first);

#endif
