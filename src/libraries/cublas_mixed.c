/* cublas_mixed.c - gemm of types that differ, half precision among them: elements are taken as numbers of double,
 * summed in the type of the computation (half: in float, as tensor cores do), and rounded once to C's.
 */
#include <stdint.h>
#include <stdlib.h>

#include "libraries/cublas_product.h"

/* ---- The product ------------------------------------------------------------------------------ */

size_t cublas_place(const struct operand *x, int i, int j)
{
    const size_t row = (size_t)(x->op == CUBLAS_OP_N ? i : j);
    const size_t column = (size_t)(x->op == CUBLAS_OP_N ? j : i);
    return row + column * (size_t)x->ld;
}

static double element(const struct operand *x, int i, int j)
{
    return cublas_load(x->type, x->at, cublas_place(x, i, j));
}

struct matrix cublas_matrix_of(const char *what, const struct operand *x, int rows, int columns)
{
    const bool plain = x->op == CUBLAS_OP_N;
    return (struct matrix){what,
                           x->at,
                           (size_t)(plain ? rows : columns),
                           (size_t)(plain ? columns : rows),
                           (size_t)x->ld,
                           cublas_size_of(x->type)};
}

/* A column of sums, and what it is made of: a once as numbers of the sums' type, so that the innermost loop goes along
 * both. Each sum still has its terms in their order. */
#define SUMS(T)                                                                                    \
    struct sums_##T {                                                                              \
        T *a, *column;                                                                             \
    };                                                                                             \
    static bool begin_##T(const struct product *p, struct sums_##T *s)                             \
    {                                                                                              \
        s->column = malloc((size_t)p->m * sizeof(T) + 1);                                          \
        s->a = malloc((size_t)p->m * (size_t)p->k * sizeof(T) + 1);                                \
        for (int l = 0; s->a && l < p->k; l++)                                                     \
            for (int i = 0; i < p->m; i++)                                                         \
                s->a[(size_t)l * (size_t)p->m + (size_t)i] = (T)element(&p->a, i, l);              \
        return s->a && s->column;                                                                  \
    }                                                                                              \
    static void add_##T(const struct product *p, struct sums_##T *s, int j)                        \
    {                                                                                              \
        for (int i = 0; i < p->m; i++)                                                             \
            s->column[i] = 0;                                                                      \
        for (int l = 0; l < p->k; l++) {                                                           \
            const T factor = (T)element(&p->b, l, j);                                              \
            const T *from = s->a + (size_t)l * (size_t)p->m;                                       \
            for (int i = 0; i < p->m; i++)                                                         \
                s->column[i] += factor * from[i];                                                  \
        }                                                                                          \
    }                                                                                              \
    static bool multiply_##T(const struct product *p)                                              \
    {                                                                                              \
        struct sums_##T s;                                                                         \
        const bool has_begun = begin_##T(p, &s);                                                   \
        for (int j = 0; has_begun && j < p->n; j++) {                                              \
            add_##T(p, &s, j);                                                                     \
            for (int i = 0; i < p->m; i++)                                                         \
                keep(p, i, j, (double)s.column[i]);                                                \
        }                                                                                          \
        free(s.a);                                                                                 \
        free(s.column);                                                                            \
        return has_begun;                                                                          \
    }

static void keep(const struct product *p, int i, int j, double sum)
{
    const double old = p->beta == 0 ? 0 : p->beta * element(&p->c, i, j);
    const double value = p->alpha * sum + old;
    cublas_store(p->d.type, (void *)(uintptr_t)p->d.at, cublas_place(&p->d, i, j),
                 p->finish ? p->finish(p->context, i, j, value) : value);
}

SUMS(float)
SUMS(double)

cublasStatus_t cublas_multiply(const struct product *p)
{
    const struct matrix read[] = {cublas_matrix_of("a", &p->a, p->m, p->k),
                                  cublas_matrix_of("b", &p->b, p->k, p->n),
                                  cublas_matrix_of("c", &p->c, p->m, p->n)};
    const struct matrix written =
        cublas_matrix_of(p->d.at == p->c.at ? "c" : "d", &p->d, p->m, p->n);
    const size_t count = p->beta == 0 ? 2 : 3;
    for (size_t i = 0; i < count; i++)
        if (read[i].rows > read[i].ld)
            return CUBLAS_STATUS_INVALID_VALUE;
    if (written.rows > written.ld)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!cublas_reads(p->function, read, count) || !cublas_writes(p->function, &written))
        return CUBLAS_STATUS_MAPPING_ERROR;
    return (p->in_double ? multiply_double(p) : multiply_float(p)) ? CUBLAS_STATUS_SUCCESS
                                                                   : CUBLAS_STATUS_ALLOC_FAILED;
}

/* The type of the scalars; one that is none of a real computation has no size. */
cudaDataType_t cublas_scalar_type(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUDA_R_32I;
    default:
        return CUDA_R_32F;
    }
}

struct batch {
    long long a, b, c; /* elements from one to the next */
    int count;
};

static cublasStatus_t multiply_all(cublasHandle_t handle, struct product p,
                                   cublasComputeType_t compute, const void *alpha, const void *beta,
                                   struct batch batch)
{
    const cublasStatus_t begun = cublas_begin(handle, p.function);
    const cudaDataType_t scalar = cublas_scalar_type(compute);
    const size_t sizes[] = {cublas_size_of(p.a.type), cublas_size_of(p.b.type),
                            cublas_size_of(p.c.type)};
    if (begun)
        return begun;
    if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0 || p.a.type != p.b.type)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (p.m < 0 || p.n < 0 || p.k < 0 || batch.count < 0 || p.a.op > CUBLAS_OP_C ||
        p.b.op > CUBLAS_OP_C)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!cublas_has_scalars(handle, p.function, (const void *const[]){alpha, beta, NULL},
                            cublas_size_of(scalar)))
        return CUBLAS_STATUS_MAPPING_ERROR;
    p.alpha = cublas_load(scalar, alpha, 0);
    p.beta = cublas_load(scalar, beta, 0);
    p.in_double = scalar == CUDA_R_64F || scalar == CUDA_R_32I;
    const struct product first = p;
    for (int i = 0; i < batch.count; i++) {
        p.a.at = (const char *)first.a.at + i * batch.a * (long long)sizes[0];
        p.b.at = (const char *)first.b.at + i * batch.b * (long long)sizes[1];
        p.c.at = (const char *)first.c.at + i * batch.c * (long long)sizes[2];
        p.d = p.c;
        const cublasStatus_t status = cublas_multiply(&p);
        if (status)
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define GEMM_EX(name, parameters, ...)                                                             \
    cublasStatus_t name parameters;                                                                \
    cublasStatus_t name parameters                                                                 \
    {                                                                                              \
        const struct product p = {.function = #name,                                               \
                                  .m = m,                                                          \
                                  .n = n,                                                          \
                                  .k = k,                                                          \
                                  .a = {a, a_type, lda, transa},                                   \
                                  .b = {b, b_type, ldb, transb},                                   \
                                  .c = {c, c_type, ldc, CUBLAS_OP_N}};                             \
        (void)algorithm;                                                                           \
        return multiply_all(handle, p, compute, alpha, beta, (struct batch){__VA_ARGS__});         \
    }

GEMM_EX(cublasGemmEx,
        (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const void *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
         cudaDataType_t b_type, int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
         cublasComputeType_t compute, cublasGemmAlgo_t algorithm),
        0, 0, 0, 1)
GEMM_EX(cublasGemmStridedBatchedEx,
        (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const void *alpha, const void *a, cudaDataType_t a_type, int lda,
         long long stride_a, const void *b, cudaDataType_t b_type, int ldb, long long stride_b,
         const void *beta, void *c, cudaDataType_t c_type, int ldc, long long stride_c, int count,
         cublasComputeType_t compute, cublasGemmAlgo_t algorithm),
        stride_a, stride_b, stride_c, count)

/* Half precision by name: elements and scalars of CUDA_R_16F. */
cublasStatus_t wl_cublas_half(cublasHandle_t handle, const char *function, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const void *alpha,
                              const void *a, int lda, long long stride_a, const void *b, int ldb,
                              long long stride_b, const void *beta, void *c, int ldc,
                              long long stride_c, int count);
cublasStatus_t wl_cublas_half(cublasHandle_t handle, const char *function, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const void *alpha,
                              const void *a, int lda, long long stride_a, const void *b, int ldb,
                              long long stride_b, const void *beta, void *c, int ldc,
                              long long stride_c, int count)
{
    const struct product p = {.function = function,
                              .m = m,
                              .n = n,
                              .k = k,
                              .a = {a, CUDA_R_16F, lda, transa},
                              .b = {b, CUDA_R_16F, ldb, transb},
                              .c = {c, CUDA_R_16F, ldc, CUBLAS_OP_N}};
    return multiply_all(handle, p, CUBLAS_COMPUTE_16F, alpha, beta,
                        (struct batch){stride_a, stride_b, stride_c, count});
}
