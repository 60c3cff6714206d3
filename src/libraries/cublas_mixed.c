/* cublas_mixed.c - gemm of types that differ, half precision among them: elements are taken as numbers of double,
 * summed in the type of the computation (half: in float, as tensor cores do), and rounded once to C's.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "libraries/cublas.h"

/* ---- Numbers ---------------------------------------------------------------------------------- */

static double half_to(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    const double sign = half & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return mantissa ? (double)NAN : sign * (double)INFINITY;
    return sign * ldexp(exponent ? mantissa + 1024 : mantissa, (exponent ? exponent : 1) - 25);
}

/* To the nearest, ties to even. */
static uint16_t half_from(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    frexp(size, &exponent); /* size < 2^exponent */
    if (exponent < -13)
        exponent = -13; /* subnormal: in units of 2^-24 */
    const unsigned units = (unsigned)rint(ldexp(size, 11 - exponent));
    if (units < 1024) /* a carry to 1024 is the smallest normal number */
        return (uint16_t)(sign | units);
    return (uint16_t)(sign | (((unsigned)(exponent + 13) << 10) + units));
}

static float brain_to(uint16_t brain)
{
    const uint32_t bits = (uint32_t)brain << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t brain_from(double value)
{
    const float nearest = (float)value;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if (isnan(value))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static size_t size_of(cudaDataType_t type)
{
    switch (type) {
    case CUDA_R_64F:
        return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_8I:
    case CUDA_R_8U:
        return 1;
    default:
        return 0;
    }
}

static double load(cudaDataType_t type, const void *array, size_t i)
{
    switch (type) {
    case CUDA_R_64F:
        return ((const double *)array)[i];
    case CUDA_R_32F:
        return (double)((const float *)array)[i];
    case CUDA_R_16F:
        return half_to(((const uint16_t *)array)[i]);
    case CUDA_R_16BF:
        return (double)brain_to(((const uint16_t *)array)[i]);
    case CUDA_R_32I:
        return ((const int32_t *)array)[i];
    case CUDA_R_8I:
        return ((const int8_t *)array)[i];
    default:
        return ((const uint8_t *)array)[i];
    }
}

static void store(cudaDataType_t type, void *array, size_t i, double value)
{
    if (type == CUDA_R_64F)
        ((double *)array)[i] = value;
    else if (type == CUDA_R_32F)
        ((float *)array)[i] = (float)value;
    else if (type == CUDA_R_16F)
        ((uint16_t *)array)[i] = half_from(value);
    else if (type == CUDA_R_16BF)
        ((uint16_t *)array)[i] = brain_from(value);
    else if (type == CUDA_R_32I)
        ((int32_t *)array)[i] = (int32_t)(uint32_t)(int64_t)value;
    else
        ((int8_t *)array)[i] = (int8_t)fmax(-128, fmin(127, value));
}

/* ---- The product ------------------------------------------------------------------------------ */

struct operand {
    const void *at;
    cudaDataType_t type;
    int ld;
    cublasOperation_t op;
};

struct product {
    const char *function;
    int m, n, k;
    struct operand a, b, c;
    double alpha, beta;
    bool in_double; /* sums; otherwise in float */
};

static double element(const struct operand *x, int i, int j)
{
    const int row = x->op == CUBLAS_OP_N ? i : j, column = x->op == CUBLAS_OP_N ? j : i;
    return load(x->type, x->at, (size_t)row + (size_t)column * (size_t)x->ld);
}

static double sum_of(const struct product *p, int i, int j)
{
    double sum = 0;
    float sum_in_float = 0;
    for (int l = 0; l < p->k; l++) {
        const double term = element(&p->a, i, l) * element(&p->b, l, j);
        if (p->in_double)
            sum += term;
        else
            sum_in_float += (float)term;
    }
    return p->in_double ? sum : (double)sum_in_float;
}

static struct matrix matrix_of(const char *what, const struct operand *x, int rows, int columns)
{
    const bool plain = x->op == CUBLAS_OP_N;
    return (struct matrix){what,
                           x->at,
                           (size_t)(plain ? rows : columns),
                           (size_t)(plain ? columns : rows),
                           (size_t)x->ld,
                           size_of(x->type)};
}

static cublasStatus_t multiply(const struct product *p)
{
    const struct matrix read[] = {matrix_of("a", &p->a, p->m, p->k),
                                  matrix_of("b", &p->b, p->k, p->n)};
    const struct matrix written = matrix_of("c", &p->c, p->m, p->n);
    for (size_t i = 0; i < 2; i++)
        if (read[i].rows > read[i].ld)
            return CUBLAS_STATUS_INVALID_VALUE;
    if (written.rows > written.ld)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!cublas_reads(p->function, read, 2) || !cublas_writes(p->function, &written))
        return CUBLAS_STATUS_MAPPING_ERROR;
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->m; i++) {
            const double old = p->beta == 0 ? 0 : p->beta * element(&p->c, i, j);
            store(p->c.type, (void *)(uintptr_t)p->c.at, (size_t)i + (size_t)j * (size_t)p->c.ld,
                  p->alpha * sum_of(p, i, j) + old);
        }
    return CUBLAS_STATUS_SUCCESS;
}

/* The type of the scalars; one that is none of a real computation has no size. */
static cudaDataType_t scalar_type(cublasComputeType_t compute)
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
    const cudaDataType_t scalar = scalar_type(compute);
    const size_t sizes[] = {size_of(p.a.type), size_of(p.b.type), size_of(p.c.type)};
    if (begun)
        return begun;
    if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0 || p.a.type != p.b.type)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (p.m < 0 || p.n < 0 || p.k < 0 || batch.count < 0 || p.a.op > CUBLAS_OP_C ||
        p.b.op > CUBLAS_OP_C)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!cublas_has_scalars(handle, p.function, (const void *const[]){alpha, beta, NULL},
                            size_of(scalar)))
        return CUBLAS_STATUS_MAPPING_ERROR;
    p.alpha = load(scalar, alpha, 0);
    p.beta = load(scalar, beta, 0);
    p.in_double = scalar == CUDA_R_64F || scalar == CUDA_R_32I;
    const struct product first = p;
    for (int i = 0; i < batch.count; i++) {
        p.a.at = (const char *)first.a.at + i * batch.a * (long long)sizes[0];
        p.b.at = (const char *)first.b.at + i * batch.b * (long long)sizes[1];
        p.c.at = (const char *)first.c.at + i * batch.c * (long long)sizes[2];
        const cublasStatus_t status = multiply(&p);
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
