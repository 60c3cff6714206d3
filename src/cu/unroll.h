/* unroll.h - what a compiler for the host is to know of #pragma unroll: of CUB's and libcu++'s headers for gcc, and of the user's for clang.
 *
 * #pragma unroll is nvcc's and clang's; gcc has words of its own, and what it does not unroll keeps the items of a thread in
 * memory, where a GPU has them in registers. The user's own loops stay as they are: what nvcc does to their accesses
 * is the model's part (docs/model.md, 2.3).
 */
#ifndef WARPLENS_CU_UNROLL_H
#define WARPLENS_CU_UNROLL_H

#include <stddef.h>

/* Of the user's #pragma unroll N, makes N 1 in place: clang unrolls such loops, and the model, which is told N (unroll_factors.c), would have
 * N iterations of what is N already. */
void unroll_not_by_number(char *text, size_t length);

/* Preprocessed text with gcc's words in those headers, line by line the same: to be freed; NULL when there is no memory. */
char *unroll_libraries(const char *text, size_t length, size_t *result_length);

#endif
