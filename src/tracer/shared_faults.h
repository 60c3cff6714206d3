/* shared_faults.h - shared arrays, and what kernels do wrong with them. */
#ifndef WARPLENS_TRACER_SHARED_FAULTS_H
#define WARPLENS_TRACER_SHARED_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/rules/access.h"

/* spaces.c: a __shared__ array, in the program's thread-local block; of the dynamic part its bytes are the
 * launch's. */
struct shared_array {
    const char *name;
    uint64_t tls_offset, bytes;
    uint64_t addr; /* in the block's shared memory; UNPLACED until a launch touches it */
};
#define UNPLACED UINT64_MAX
enum { ACCESS_BYTES_MAX = 16 }; /* of a lane */
/* The array that begins there or before; NULL: there is none. */
struct shared_array *spaces_shared_owner(uint64_t tls_offset);
const char *spaces_shared_name(const struct shared_array *array);

/* Whether nvcc, which packs arrays, begins the one at that simulated address at a multiple of 16 bytes, as it does if the sizes
 * of the others are multiples; in which order it packs them is not known. */
bool spaces_shared_is_aligned(uint64_t addr);
/* Some array has a size that is no multiple: which address it is matters then. */
bool spaces_shared_is_uneven(void);

/* Counts a load of bytes that the block has not written, and notes those that it writes. The running lane's
 * access is within a placed array. */
void shared_check(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* Counts an access of bytes, at an offset in the thread-local block, that no thread `whose` ("of the block") has written. */
void shared_count_unwritten(uint64_t offset, unsigned width, enum mem_op op, const char *whose,
                            uintptr_t pc);
/* Ends the launch: `array` does not have the bytes at tls_offset `offset`. */
_Noreturn void shared_fail_outside(const struct shared_array *array, uint64_t offset,
                                   unsigned width, enum mem_op op, uintptr_t pc);

#endif
