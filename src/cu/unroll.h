/* unroll.h - loops of CUB's and libcu++'s headers that are to be unrolled, for gcc.
 *
 * #pragma unroll is nvcc's and clang's; gcc has words of its own, and what it does not unroll keeps the items of a thread in
 * memory, where a GPU has them in registers. The user's own loops stay as they are: what nvcc does to their accesses
 * is the model's part (docs/model.md, 2.3).
 */
#ifndef WARPLENS_CU_UNROLL_H
#define WARPLENS_CU_UNROLL_H

#include <stddef.h>

/* Preprocessed text with gcc's words in those headers, line by line the same: to be freed; NULL when there is no memory. */
char *unroll_libraries(const char *text, size_t length, size_t *result_length);

#endif
