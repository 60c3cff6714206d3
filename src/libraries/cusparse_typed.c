/* cusparse_typed.c - cuSPARSE's functions of the legacy interface for its four types, from one text. */
#include <complex.h>
#include <stdlib.h>

#include "libraries/cusparse.h"

#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

struct csrilu02Info {
    int zero_pivot; /* the first row without one, with the matrix's base; -1: none */
};

/* ---- What descriptors say, said by parameters ------------------------------------------------- */

static struct cusparseDnMatDescr dense_matrix(int rows, int columns, int ld, const void *values,
                                              cudaDataType type)
{
    return (struct cusparseDnMatDescr){rows, columns,           ld, (void *)(uintptr_t)values,
                                       type, CUSPARSE_ORDER_COL};
}

static struct cusparseSpMatDescr sparse(cusparseFormat_t format,
                                        const struct cusparseMatDescr *descr, int rows, int columns,
                                        int nnz, const void *values, const int *offsets,
                                        const int *indices, cudaDataType type)
{
    return (struct cusparseSpMatDescr){.format = format,
                                       .rows = rows,
                                       .columns = columns,
                                       .nnz = nnz,
                                       .offsets = (void *)(uintptr_t)offsets,
                                       .indices = (void *)(uintptr_t)indices,
                                       .values = (void *)(uintptr_t)values,
                                       .offset_type = CUSPARSE_INDEX_32I,
                                       .index_type = CUSPARSE_INDEX_32I,
                                       .base = descr ? descr->base : CUSPARSE_INDEX_BASE_ZERO,
                                       .type = type};
}

/* Whether the sizes are none below 0, and the matrix is stored whole. */
static cusparseStatus_t allow(const char *function, const struct cusparseMatDescr *descr,
                              const struct cusparseSpMatDescr *a)
{
    if (descr == NULL || a->rows < 0 || a->columns < 0 || a->nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return cusparse_refuse(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, function,
                               "only matrices of CUSPARSE_MATRIX_TYPE_GENERAL are there");
    return CUSPARSE_STATUS_SUCCESS;
}

static bool fits(const struct cusparseDnMatDescr *dense)
{
    return dense->rows >= 0 && dense->columns >= 0 && dense->ld >= dense->rows;
}

/* ---- The functions of all types --------------------------------------------------------------- */

/* A is m by k, C of n columns. */
struct typed_product {
    const char *function;
    cudaDataType type;
    cusparseOperation_t op_a, op_b;
    int m, n, k, nnz;
    const void *values;
    const int *offsets, *columns;
    const void *b;
    int ldb;
    void *c;
    int ldc;
    const void *alpha, *beta;
};

static cusparseStatus_t multiply(cusparseHandle_t handle, const struct cusparseMatDescr *descr,
                                 const struct typed_product *p)
{
    const bool across = p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool b_across = p->op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int b_rows = across ? p->m : p->k;
    const struct cusparseSpMatDescr a = sparse(CUSPARSE_FORMAT_CSR, descr, p->m, p->k, p->nnz,
                                               p->values, p->offsets, p->columns, p->type);
    const struct product product = {
        .op_a = p->op_a,
        .op_b = p->op_b,
        .alpha = p->alpha,
        .beta = p->beta,
        .a = &a,
        .b =
            dense_matrix(b_across ? p->n : b_rows, b_across ? b_rows : p->n, p->ldb, p->b, p->type),
        .c = dense_matrix(across ? p->k : p->m, p->n, p->ldc, p->c, p->type),
        .compute = p->type};
    const cusparseStatus_t allowed = allow(p->function, descr, &a);
    if (allowed || !fits(&product.b) || !fits(&product.c))
        return allowed ? allowed : CUSPARSE_STATUS_INVALID_VALUE;
    return cusparse_multiply(handle, p->function, &product);
}

static cusparseStatus_t count(cusparseHandle_t handle, const char *function,
                              const struct cusparseMatDescr *descr, cusparseDirection_t direction,
                              const struct cusparseDnMatDescr *dense, int *counts, int *total)
{
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const struct element_ops *ops = cusparse_elements(dense->type);
    if (begun || descr == NULL || !fits(dense))
        return begun ? begun : CUSPARSE_STATUS_INVALID_VALUE;
    const struct view view =
        view_of(dense,
                direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_OPERATION_NON_TRANSPOSE
                                                    : CUSPARSE_OPERATION_TRANSPOSE,
                ops->bytes);
    if (!dense_reads(function, "the dense matrix", dense, ops->bytes) ||
        !wl_library_writes(function, "the counts", counts, (size_t)view.rows * sizeof *counts) ||
        (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE &&
         !wl_library_writes(function, "the total", total, sizeof *total)))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    *total = (int)cusparse_count(ops, &view, counts);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t to_sparse(cusparseHandle_t handle, const char *function,
                                  const struct cusparseMatDescr *descr,
                                  const struct cusparseDnMatDescr *dense,
                                  struct cusparseSpMatDescr *to)
{
    const cusparseStatus_t allowed = allow(function, descr, to);
    if (allowed || !fits(dense))
        return allowed ? allowed : CUSPARSE_STATUS_INVALID_VALUE;
    return cusparse_to_sparse(handle, function, dense, to);
}

/* How many entries there are stands in the last offset. */
static cusparseStatus_t expand(cusparseHandle_t handle, const char *function,
                               cusparseFormat_t format, const struct cusparseMatDescr *descr,
                               const void *values, const int *offsets, const int *indices,
                               const struct cusparseDnMatDescr *dense)
{
    struct cusparseSpMatDescr from = sparse(format, descr, (int)dense->rows, (int)dense->columns, 0,
                                            values, offsets, indices, dense->type);
    const cusparseStatus_t allowed = allow(function, descr, &from);
    if (allowed || !fits(dense))
        return allowed ? allowed : CUSPARSE_STATUS_INVALID_VALUE;
    const size_t last = (size_t)major_count(&from);
    if (!wl_library_reads(function, "the offsets", offsets, (last + 1) * sizeof *offsets))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    from.nnz = offsets[last] - (int)from.base;
    if (from.nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return cusparse_expand(handle, function, &from, dense);
}

static cusparseStatus_t factor(cusparseHandle_t handle, const char *function,
                               const struct cusparseMatDescr *descr,
                               const struct cusparseSpMatDescr *csr, csrilu02Info_t info)
{
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const cusparseStatus_t allowed = begun ? begun : allow(function, descr, csr);
    const struct element_ops *ops = cusparse_elements(csr->type);
    if (allowed || info == NULL)
        return allowed ? allowed : CUSPARSE_STATUS_INVALID_VALUE;
    if (!sparse_reads(function, csr, ops->bytes) ||
        !wl_library_writes(function, "the values", csr->values, (size_t)csr->nnz * ops->bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    int64_t *place = malloc(2 * ((size_t)csr->rows + 1) * sizeof *place);
    if (place == NULL)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    const int64_t missing = ops->ilu0(csr, place);
    info->zero_pivot = missing < 0 ? -1 : (int)(missing + csr->base);
    free(place);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    *info = malloc(sizeof **info);
    if (*info == NULL)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    (*info)->zero_pivot = -1;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position)
{
    if (handle == NULL || info == NULL)
        return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE &&
        !wl_library_writes("cusparseXcsrilu02_zeroPivot", "the position", position,
                           sizeof *position))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    *position = info->zero_pivot;
    return info->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

/* ---- Their names ------------------------------------------------------------------------------ */

#define T float
#define TYPE CUDA_R_32F
#define NAME(x) cusparseS##x
#include "libraries/cusparse_typed.h"
#undef T
#undef TYPE
#undef NAME

#define T double
#define TYPE CUDA_R_64F
#define NAME(x) cusparseD##x
#include "libraries/cusparse_typed.h"
#undef T
#undef TYPE
#undef NAME

#define T float _Complex
#define TYPE CUDA_C_32F
#define NAME(x) cusparseC##x
#include "libraries/cusparse_typed.h"
#undef T
#undef TYPE
#undef NAME

#define T double _Complex
#define TYPE CUDA_C_64F
#define NAME(x) cusparseZ##x
#include "libraries/cusparse_typed.h"
