/* shared_matrix.h - a matrix in shared memory as a descriptor of wgmma says it: where its elements are. Pure functions.
 *
 * Source: PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Instructions": "Matrix Descriptor Format", "Canonical Layouts".
 */
#ifndef WARPLENS_TRACER_MATRIX_SHARED_MATRIX_H
#define WARPLENS_TRACER_MATRIX_SHARED_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* Offsets in bytes, multiples of 16. */
struct shared_matrix {
    uint32_t start;           /* below 256 KiB */
    uint32_t leading, stride; /* below 256 KiB */
    uint8_t base_offset;      /* 0 to 7 */
    uint8_t row;              /* bytes of a swizzled row: 32, 64 or 128; 0: no swizzle */
};
enum { SHARED_MATRIX_ADDRESSES = 1 << 18 };

struct shared_matrix shared_matrix_read(uint64_t descriptor);
/* Whether it begins where an H100 was seen to find it (validation/wgmma): with a swizzle in a row at a multiple of 128 bytes. */
bool shared_matrix_is_aligned(const struct shared_matrix *m);
/* Where an element is: `mn` its row in A, or its column in B; by_columns: neighbours in memory are those of `mn`, not of k ("MN-major"). */
uint32_t shared_matrix_at(const struct shared_matrix *m, bool by_columns, unsigned bytes,
                          unsigned mn, unsigned k);

#endif
