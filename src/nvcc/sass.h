/* sass.h - one instruction of NVIDIA's machine code from sm_70 on: as much of it as loops and loads need.
 *
 * Pure functions on bytes. Sources: Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
 * arXiv:1804.06826, chapter 2: 16 bytes an instruction, 128 bits with the operation in the lowest and, above bit 105, what the
 * instruction waits for and which of six counters tells when its result is there. The operations and where a branch
 * leads are as CUDA 13.0 writes them for sm_75, sm_80, sm_89, sm_90, sm_100 and sm_120: loops and accesses of known
 * kernels, compiled. */
#ifndef WARPLENS_NVCC_SASS_H
#define WARPLENS_NVCC_SASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SASS_BYTES = 16, SASS_COUNTERS = 6, SASS_SM_FIRST = 70 };

enum sass_kind {
    SASS_OTHER,
    SASS_NOTHING,     /* fills room behind the code */
    SASS_LOAD,        /* from global memory, or generic */
    SASS_LOAD_SHARED, /* from shared memory */
    SASS_STORE,       /* to global or shared memory, or generic */
    SASS_BRANCH,
    SASS_CALL,
};

struct sass_instruction {
    enum sass_kind kind;
    uint8_t bytes; /* of a load or store, of a lane: 1, 2, 4, 8 or 16; others: 0 */
    uint8_t
        counter; /* 0 to SASS_COUNTERS - 1: that its result's being there is told by; others: none */
    uint8_t waits; /* bit i: for all that counter i tells of */
    bool has_target;
    int64_t target; /* of a branch or call: bytes from the instruction's first */
};

/* `sm`: 90 is sm_90; SASS_SM_FIRST at least. */
struct sass_instruction sass_decode(const uint8_t code[SASS_BYTES], int sm);

#endif
