/* cublas_types.c - cuBLAS's functions for its four types, from two texts. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "libraries/cublas.h"

#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

/* What a function begins with: its name for messages, and whether it may go on. */
#define BEGIN(name)                                                                                \
    static const char function[] = TEXT(name);                                                     \
    const cublasStatus_t begun = cublas_begin(handle, function);                                   \
    if (begun)                                                                                     \
        return begun;

#define ALLOW(condition)                                                                           \
    if (!(condition))                                                                              \
        return CUBLAS_STATUS_INVALID_VALUE;

/* Where pointers are not what they must be, the line is said, and this is the answer. */
#define MEMORY(condition)                                                                          \
    if (!(condition))                                                                              \
        return CUBLAS_STATUS_MAPPING_ERROR;

#define SCALARS(type, ...)                                                                         \
    MEMORY(cublas_has_scalars(handle, function, (const void *const[]){__VA_ARGS__, NULL},          \
                              sizeof(type)))
#define READS(...)                                                                                 \
    MEMORY(cublas_reads(function, (const struct matrix[]){__VA_ARGS__},                            \
                        sizeof(const struct matrix[]){__VA_ARGS__} / sizeof(struct matrix)))
#define WRITES(matrix_written)                                                                     \
    {                                                                                              \
        const struct matrix written = matrix_written;                                              \
        MEMORY(cublas_writes(function, &written))                                                  \
    }
#define MATRIX(name, row_count, column_count, leading)                                             \
    ((struct matrix){#name, name, (size_t)(row_count), (size_t)(column_count), (size_t)(leading),  \
                     sizeof(T)})
#define VECTOR(name, n, increment) cublas_vector(#name, name, n, increment, sizeof(T))

/* Of a matrix, or of a column of one. */
#define AT(a, ld, i, j) ((a)[(size_t)(i) + (size_t)(j) * (size_t)(ld)])
/* Element i of a vector; from its end on when the increment is negative, as in the BLAS. */
#define PLACE(i, n, increment)                                                                     \
    ((ptrdiff_t)((increment) < 0 ? (i) - (n) + 1 : (i)) * (ptrdiff_t)(increment))

static int least(int rows)
{
    return rows > 1 ? rows : 1;
}

#define T float
#define R float
#define NAME(x) cublasS##x
#define NORM(x) cublasS##x
#define INDEX(x) cublasIs##x
#define OWN(x) s_##x
#define CONJ(v) (v)
#define ABSOLUTE(v) fabsf(v)
#define MAGNITUDE(v) fabsf(v)
#include "libraries/cublas_vectors.h"
#include "libraries/cublas_matrices.h"
#include "libraries/cublas_factors.h"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#undef OWN
#undef CONJ
#undef ABSOLUTE
#undef MAGNITUDE

#define T double
#define R double
#define NAME(x) cublasD##x
#define NORM(x) cublasD##x
#define INDEX(x) cublasId##x
#define OWN(x) d_##x
#define CONJ(v) (v)
#define ABSOLUTE(v) fabs(v)
#define MAGNITUDE(v) fabs(v)
#include "libraries/cublas_vectors.h"
#include "libraries/cublas_matrices.h"
#include "libraries/cublas_factors.h"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#undef OWN
#undef CONJ
#undef ABSOLUTE
#undef MAGNITUDE

#define T_IS_COMPLEX
#define T float _Complex
#define R float
#define NAME(x) cublasC##x
#define NORM(x) cublasSc##x
#define INDEX(x) cublasIc##x
#define REALSCAL cublasCsscal
#define OWN(x) c_##x
#define CONJ(v) conjf(v)
#define ABSOLUTE(v) (fabsf(crealf(v)) + fabsf(cimagf(v)))
#define MAGNITUDE(v) cabsf(v)
#include "libraries/cublas_vectors.h"
#include "libraries/cublas_matrices.h"
#include "libraries/cublas_factors.h"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#undef REALSCAL
#undef OWN
#undef CONJ
#undef ABSOLUTE
#undef MAGNITUDE

#define T double _Complex
#define R double
#define NAME(x) cublasZ##x
#define NORM(x) cublasDz##x
#define INDEX(x) cublasIz##x
#define REALSCAL cublasZdscal
#define OWN(x) z_##x
#define CONJ(v) conj(v)
#define ABSOLUTE(v) (fabs(creal(v)) + fabs(cimag(v)))
#define MAGNITUDE(v) cabs(v)
#include "libraries/cublas_vectors.h"
#include "libraries/cublas_matrices.h"
#include "libraries/cublas_factors.h"
