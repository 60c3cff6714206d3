/* cusparse_generic.c - cuSPARSE's functions of descriptors: products, triangular systems, sparse vectors. */
#include "libraries/cusparse.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN(name)                                                                                \
    static const char function[] = #name;                                                          \
    const cusparseStatus_t begun = cusparse_begin(handle, function);                               \
    if (begun)                                                                                     \
        return begun;

/* The operations of elements that all have the computation's type. */
#define ELEMENTS(compute, ...)                                                                     \
    const cudaDataType types[] = {__VA_ARGS__};                                                    \
    const struct element_ops *ops =                                                                \
        cusparse_elements_of(function, compute, types, sizeof types / sizeof types[0]);            \
    if (ops == NULL)                                                                               \
        return CUSPARSE_STATUS_NOT_SUPPORTED;

/* Where memory is not as it must be, the line is said, and this is the answer. */
#define MEMORY(condition)                                                                          \
    if (!(condition))                                                                              \
        return CUSPARSE_STATUS_EXECUTION_FAILED;

#define ALLOW(condition)                                                                           \
    if (!(condition))                                                                              \
        return CUSPARSE_STATUS_INVALID_VALUE;

static cusparseStatus_t no_workspace(size_t *bytes)
{
    *bytes = WORKSPACE_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- Products --------------------------------------------------------------------------------- */

cusparseStatus_t cusparse_multiply(cusparseHandle_t handle, const char *function,
                                   const struct product *p)
{
    const bool across = p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    if (begun)
        return begun;
    ELEMENTS(p->compute, p->a->type, p->b.type, p->c.type)
    const struct view b = view_of(&p->b, p->op_b, ops->bytes);
    const struct view c = view_of(&p->c, CUSPARSE_OPERATION_NON_TRANSPOSE, ops->bytes);
    ALLOW(b.rows == (across ? p->a->rows : p->a->columns) && b.columns == c.columns &&
          c.rows == (across ? p->a->columns : p->a->rows))
    MEMORY(cusparse_has_scalars(handle, function, p->alpha, p->beta, ops->bytes) &&
           sparse_reads(function, p->a, ops->bytes) &&
           dense_reads(function, "the dense factor", &p->b, ops->bytes) &&
           dense_writes(function, "the result", &p->c, ops->bytes))
    return ops->product(p->a, p->op_a, p->alpha, &b, p->beta, &c) ? CUSPARSE_STATUS_SUCCESS
                                                                  : CUSPARSE_STATUS_ALLOC_FAILED;
}

#define SPMV(name, last)                                                                           \
    cusparseStatus_t name(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,      \
                          cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,                \
                          const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,          \
                          cusparseSpMVAlg_t algorithm, last)
SPMV(cusparseSpMV, void *buffer)
{
    (void)algorithm;
    (void)buffer;
    const struct product product = {.op_a = op,
                                    .alpha = alpha,
                                    .beta = beta,
                                    .a = a,
                                    .b = dense_vector(x),
                                    .c = dense_vector(y),
                                    .compute = compute};
    return cusparse_multiply(handle, "cusparseSpMV", &product);
}

#define SPMM(name, last)                                                                           \
    cusparseStatus_t name(cusparseHandle_t handle, cusparseOperation_t op_a,                       \
                          cusparseOperation_t op_b, const void *alpha,                             \
                          cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,                \
                          const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,          \
                          cusparseSpMMAlg_t algorithm, last)
SPMM(cusparseSpMM, void *buffer)
{
    (void)algorithm;
    (void)buffer;
    const struct product product = {.op_a = op_a,
                                    .op_b = op_b,
                                    .alpha = alpha,
                                    .beta = beta,
                                    .a = a,
                                    .b = *b,
                                    .c = *c,
                                    .compute = compute};
    return cusparse_multiply(handle, "cusparseSpMM", &product);
}

/* What these need beforehand: nothing. */
#define IGNORE_PRODUCT                                                                             \
    (void)handle, (void)alpha, (void)a, (void)beta, (void)compute, (void)algorithm
SPMV(cusparseSpMV_bufferSize, size_t *bytes)
{
    IGNORE_PRODUCT, (void)op, (void)x, (void)y;
    return no_workspace(bytes);
}
SPMV(cusparseSpMV_preprocess, void *buffer)
{
    IGNORE_PRODUCT, (void)op, (void)x, (void)y, (void)buffer;
    return CUSPARSE_STATUS_SUCCESS;
}
SPMM(cusparseSpMM_bufferSize, size_t *bytes)
{
    IGNORE_PRODUCT, (void)op_a, (void)op_b, (void)b, (void)c;
    return no_workspace(bytes);
}
SPMM(cusparseSpMM_preprocess, void *buffer)
{
    IGNORE_PRODUCT, (void)op_a, (void)op_b, (void)b, (void)c, (void)buffer;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- Triangular systems ----------------------------------------------------------------------- */

struct cusparseSpSVDescr {
    int unused;
};

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor)
{
    *descriptor = calloc(1, sizeof **descriptor);
    return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor)
{
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

#define IGNORE_SYSTEM                                                                              \
    (void)handle, (void)op, (void)alpha, (void)a, (void)x, (void)y, (void)compute,                 \
        (void)algorithm, (void)system
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, WL_CUSPARSE_SPSV, size_t *bytes)
{
    IGNORE_SYSTEM;
    return no_workspace(bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, WL_CUSPARSE_SPSV, void *buffer)
{
    IGNORE_SYSTEM, (void)buffer;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, WL_CUSPARSE_SPSV)
{
    (void)algorithm;
    (void)system;
    BEGIN(cusparseSpSV_solve)
    ELEMENTS(compute, a->type, x->type, y->type)
    const struct cusparseDnMatDescr from = dense_vector(x), to = dense_vector(y);
    if (a->format != CUSPARSE_FORMAT_CSR)
        return cusparse_refuse(CUSPARSE_STATUS_NOT_SUPPORTED, function, "the matrix must be CSR");
    ALLOW(a->rows == a->columns && x->size == a->rows && y->size == a->rows)
    MEMORY(cusparse_has_scalars(handle, function, alpha, alpha, ops->bytes) &&
           sparse_reads(function, a, ops->bytes) && dense_reads(function, "x", &from, ops->bytes) &&
           dense_writes(function, "y", &to, ops->bytes))
    ops->solve(a, op, alpha, x->values, y->values);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- Sparse vectors --------------------------------------------------------------------------- */

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y)
{
    BEGIN(cusparseAxpby)
    ELEMENTS(y->type, x->type)
    const struct cusparseDnMatDescr to = dense_vector(y);
    ALLOW(x->size == y->size)
    MEMORY(cusparse_has_scalars(handle, function, alpha, beta, ops->bytes) &&
           sparse_vector_reads(function, x, ops->bytes) &&
           dense_writes(function, "y", &to, ops->bytes))
    ops->axpby(alpha, x, beta, y);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType compute, size_t *bytes)
{
    (void)handle, (void)op, (void)x, (void)y, (void)result, (void)compute;
    return no_workspace(bytes);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType compute, void *buffer)
{
    (void)buffer;
    BEGIN(cusparseSpVV)
    ELEMENTS(compute, x->type, y->type)
    const struct cusparseDnMatDescr from = dense_vector(y);
    ALLOW(x->size == y->size)
    MEMORY(sparse_vector_reads(function, x, ops->bytes) &&
           dense_reads(function, "y", &from, ops->bytes) &&
           (handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST ||
            wl_library_writes(function, "the result", result, ops->bytes)))
    ops->dot(x, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, y, result);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Element k of a sparse vector, and its place in a dense one. */
static void *sparse_element(const struct cusparseSpVecDescr *x, int64_t k, size_t bytes)
{
    return (char *)x->values + (size_t)k * bytes;
}
static void *its_place(const struct cusparseSpVecDescr *x, int64_t k,
                       const struct cusparseDnVecDescr *y, size_t bytes)
{
    return (char *)y->values + (size_t)(index_at(x->indices, x->index_type, k) - x->base) * bytes;
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    BEGIN(cusparseGather)
    ELEMENTS(y->type, x->type)
    const struct cusparseDnMatDescr from = dense_vector(y);
    ALLOW(x->size == y->size)
    MEMORY(sparse_vector_reads(function, x, ops->bytes) &&
           dense_reads(function, "y", &from, ops->bytes) &&
           wl_library_writes(function, "the values", x->values, (size_t)x->nnz * ops->bytes))
    for (int64_t k = 0; k < x->nnz; k++)
        memcpy(sparse_element(x, k, ops->bytes), its_place(x, k, y, ops->bytes), ops->bytes);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    BEGIN(cusparseScatter)
    ELEMENTS(y->type, x->type)
    const struct cusparseDnMatDescr to = dense_vector(y);
    ALLOW(x->size == y->size)
    MEMORY(sparse_vector_reads(function, x, ops->bytes) &&
           dense_reads(function, "y", &to, ops->bytes))
    for (int64_t k = 0; k < x->nnz; k++) {
        void *place = its_place(x, k, y, ops->bytes);
        wl_library_writes(function, "y", place, ops->bytes);
        memcpy(place, sparse_element(x, k, ops->bytes), ops->bytes);
    }
    return CUSPARSE_STATUS_SUCCESS;
}
