/* cublas.h - what the files of cuBLAS share: the handle, and checked arguments.
 *
 *   cublas.c          handles, modes, statuses, copies of vectors and matrices
 *   cublas_vectors.h  of one type: vectors (level 1), and matrix by vector (level 2); cublas_matrices.h: level 3
 *   cublas_factors.h  of one type: factors of many matrices
 *   cublas_types.c    these for the four types
 *   cublas_mixed.c    gemm of types that differ, and of half precision
 *
 * Matrices lie column by column. Sums are made in the order of their terms in the type of the elements, so that the
 * same call gives the same bits; cuBLAS's own order is another.
 */
#ifndef WARPLENS_LIBRARIES_CUBLAS_H
#define WARPLENS_LIBRARIES_CUBLAS_H

#include <stddef.h>

#include "warplens/cublas_types.h"
#include "warplens/cuda.h"
#include "warplens/cuda_libraries.h"

/* For a function that no header of C declares: declared here, and then written. */
#define EXPORTED(type, name, ...)                                                                  \
    type name(__VA_ARGS__);                                                                        \
    type name(__VA_ARGS__)

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math_mode;
    cublasAtomicsMode_t atomics_mode;
};

/* Elements [0, rows) of columns [0, columns), `ld` elements from column to column. */
struct matrix {
    const char *what; /* the parameter's name */
    const void *at;
    size_t rows, columns, ld, element_bytes;
};

/* Counts the call. What it answers if it is not to go on: the handle is none, or a kernel has failed. */
cublasStatus_t cublas_begin(cublasHandle_t handle, const char *function);
/* Whether scalars (up to a NULL) are where the handle's pointer mode says. */
bool cublas_has_scalars(cublasHandle_t handle, const char *function, const void *const *scalars,
                        size_t bytes);
/* Whether matrices lie in arrays on the device. */
bool cublas_reads(const char *function, const struct matrix *matrices, size_t count);
/* The same of one that is written; which is from then on. */
bool cublas_writes(const char *function, const struct matrix *matrix);
/* A vector's elements are a row of a matrix whose columns are |increment| long. */
struct matrix cublas_vector(const char *what, const void *x, int n, int increment,
                            size_t element_bytes);
/* The triangle of a square matrix is written. */
bool cublas_writes_triangle(const char *function, const struct matrix *matrix, bool upper);
/* A result's place. */
bool cublas_writes_result(cublasHandle_t handle, const char *function, void *result, size_t bytes);

#endif
