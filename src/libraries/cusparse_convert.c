/* cusparse_convert.c - from one form of a matrix to another: values are copied as they are. */
#include "libraries/cusparse.h"

#include <stdlib.h>
#include <string.h>

static const struct element_ops *elements(const char *function, cudaDataType type,
                                          cudaDataType other)
{
    return cusparse_elements_of(function, type, &other, 1);
}

static bool writes_int(const char *function, const char *what, int *array, size_t count)
{
    return wl_library_writes(function, what, array, count * sizeof *array);
}

/* ---- Dense and sparse ------------------------------------------------------------------------- */

static void *element(const struct view *view, int64_t i, int64_t j)
{
    return view->values + i * view->row_step + j * view->column_step;
}

int64_t cusparse_count(const struct element_ops *ops, const struct view *dense, int *counts)
{
    int64_t total = 0;
    for (int64_t i = 0; i < dense->rows; i++) {
        int count = 0;
        for (int64_t j = 0; j < dense->columns; j++)
            count += !ops->is_zero(element(dense, i, j));
        if (counts)
            counts[i] = count;
        total += count;
    }
    return total;
}

void cusparse_compress(const struct element_ops *ops, const struct view *dense,
                       const struct cusparseSpMatDescr *to)
{
    const bool coo = to->format == CUSPARSE_FORMAT_COO;
    int64_t k = 0;
    for (int64_t i = 0; i < dense->rows; i++) {
        if (!coo)
            index_set(to->offsets, to->offset_type, i, k + to->base);
        for (int64_t j = 0; j < dense->columns; j++) {
            const void *value = element(dense, i, j);
            if (ops->is_zero(value))
                continue;
            if (coo)
                index_set(to->offsets, to->offset_type, k, i + to->base);
            index_set(to->indices, to->index_type, k, j + to->base);
            memcpy((char *)to->values + (size_t)k * ops->bytes, value, ops->bytes);
            k++;
        }
    }
    if (!coo)
        index_set(to->offsets, to->offset_type, dense->rows, k + to->base);
}

/* The dense matrix, row by row as the sparse one has it, or column by column. */
static struct view as_the_other(const struct cusparseDnMatDescr *a,
                                const struct cusparseSpMatDescr *b, size_t bytes)
{
    return view_of(a,
                   b->format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                    : CUSPARSE_OPERATION_NON_TRANSPOSE,
                   bytes);
}

cusparseStatus_t cusparse_to_sparse(cusparseHandle_t handle, const char *function,
                                    const struct cusparseDnMatDescr *a,
                                    struct cusparseSpMatDescr *b)
{
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const struct element_ops *ops = begun ? NULL : elements(function, b->type, a->type);
    if (ops == NULL)
        return begun ? begun : CUSPARSE_STATUS_NOT_SUPPORTED;
    if (a->rows != b->rows || a->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!dense_reads(function, "the dense matrix", a, ops->bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const struct view dense = as_the_other(a, b, ops->bytes);
    b->nnz = cusparse_count(ops, &dense, NULL);
    const size_t nnz = (size_t)b->nnz,
                 offset_count = b->format == CUSPARSE_FORMAT_COO ? nnz : (size_t)dense.rows + 1;
    if (!wl_library_writes(function, "the offsets", b->offsets,
                           offset_count * index_bytes(b->offset_type)) ||
        !wl_library_writes(function, "the indices", b->indices, nnz * index_bytes(b->index_type)) ||
        !wl_library_writes(function, "the values", b->values, nnz * ops->bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    cusparse_compress(ops, &dense, b);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparse_expand(cusparseHandle_t handle, const char *function,
                                 const struct cusparseSpMatDescr *a,
                                 const struct cusparseDnMatDescr *b)
{
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const struct element_ops *ops = begun ? NULL : elements(function, a->type, b->type);
    if (ops == NULL)
        return begun ? begun : CUSPARSE_STATUS_NOT_SUPPORTED;
    if (a->rows != b->rows || a->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!sparse_reads(function, a, ops->bytes) ||
        !dense_writes(function, "the dense matrix", b, ops->bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const struct view dense = view_of(b, CUSPARSE_OPERATION_NON_TRANSPOSE, ops->bytes);
    for (int64_t i = 0; i < dense.rows; i++)
        for (int64_t j = 0; j < dense.columns; j++)
            memset(element(&dense, i, j), 0, ops->bytes);
    struct walk walk = {.matrix = a};
    while (walk_next(&walk))
        memcpy(element(&dense, walk.row, walk.column),
               (const char *)a->values + (size_t)walk.k * ops->bytes, ops->bytes);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t *bytes)
{
    (void)handle, (void)a, (void)b, (void)algorithm;
    *bytes = WORKSPACE_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                       void *buffer)
{
    (void)algorithm, (void)buffer;
    return cusparse_expand(handle, "cusparseSparseToDense", a, b);
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *bytes)
{
    (void)handle, (void)a, (void)b, (void)algorithm;
    *bytes = WORKSPACE_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Offsets and the count of entries, behind which the program allocates the rest. */
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    static const char function[] = "cusparseDenseToSparse_analysis";
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const struct element_ops *ops = begun ? NULL : elements(function, b->type, a->type);
    if (ops == NULL)
        return begun ? begun : CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!dense_reads(function, "the dense matrix", a, ops->bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const struct view dense = as_the_other(a, b, ops->bytes);
    b->nnz = cusparse_count(ops, &dense, NULL);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    return cusparse_to_sparse(handle, "cusparseDenseToSparse_convert", a, b);
}

/* ---- CSR, CSC, COO ---------------------------------------------------------------------------- */

/* The entries of each column behind those of the columns before; `next`: where a column's next one goes. */
static void transpose(const struct element_ops *ops, const struct cusparseSpMatDescr *csr,
                      int64_t *next, void *values, int *rows, int *offsets)
{
    for (struct walk walk = {.matrix = csr}; walk_next(&walk);)
        next[walk.column + 1]++;
    for (int64_t j = 0; j < csr->columns; j++)
        next[j + 1] += next[j];
    for (int64_t j = 0; j <= csr->columns; j++)
        offsets[j] = (int)(next[j] + csr->base);
    for (struct walk walk = {.matrix = csr}; walk_next(&walk);) {
        const int64_t to = next[walk.column]++;
        rows[to] = (int)(walk.row + csr->base);
        if (values)
            memcpy((char *)values + (size_t)to * ops->bytes,
                   (const char *)csr->values + (size_t)walk.k * ops->bytes, ops->bytes);
    }
}

cusparseStatus_t cusparse_transpose(cusparseHandle_t handle, const char *function,
                                    const struct cusparseSpMatDescr *csr, bool with_values,
                                    void *csc_values, int *csc_rows, int *csc_offsets)
{
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    const struct element_ops *ops = begun ? NULL : elements(function, csr->type, csr->type);
    if (ops == NULL)
        return begun ? begun : CUSPARSE_STATUS_NOT_SUPPORTED;
    if (csr->rows < 0 || csr->columns < 0 || csr->nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t nnz = (size_t)csr->nnz;
    if (!sparse_reads(function, csr, with_values ? ops->bytes : 0) ||
        !writes_int(function, "the result's offsets", csc_offsets, (size_t)csr->columns + 1) ||
        !writes_int(function, "the result's indices", csc_rows, nnz) ||
        (with_values &&
         !wl_library_writes(function, "the result's values", csc_values, nnz * ops->bytes)))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    int64_t *next = calloc((size_t)csr->columns + 2, sizeof *next);
    if (next == NULL)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    transpose(ops, csr, next, with_values ? csc_values : NULL, csc_rows, csc_offsets);
    free(next);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, WL_CUSPARSE_CSR2CSC,
                                               size_t *bytes)
{
    (void)handle, (void)m, (void)n, (void)nnz, (void)csr_values, (void)csr_offsets;
    (void)csr_columns, (void)csc_values, (void)csc_offsets, (void)csc_rows, (void)type;
    (void)action, (void)base, (void)algorithm;
    *bytes = WORKSPACE_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, WL_CUSPARSE_CSR2CSC, void *buffer)
{
    (void)algorithm, (void)buffer;
    const struct cusparseSpMatDescr csr = {.format = CUSPARSE_FORMAT_CSR,
                                           .rows = m,
                                           .columns = n,
                                           .nnz = nnz,
                                           .offsets = (void *)(uintptr_t)csr_offsets,
                                           .indices = (void *)(uintptr_t)csr_columns,
                                           .values = (void *)(uintptr_t)csr_values,
                                           .offset_type = CUSPARSE_INDEX_32I,
                                           .index_type = CUSPARSE_INDEX_32I,
                                           .base = base,
                                           .type = type};
    return cusparse_transpose(handle, "cusparseCsr2cscEx2", &csr, action == CUSPARSE_ACTION_NUMERIC,
                              csc_values, csc_rows, csc_offsets);
}

/* Rows of entries, which rise, to where each row begins. */
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base)
{
    static const char function[] = "cusparseXcoo2csr";
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    int k = 0;
    if (begun || nnz < 0 || m < 0)
        return begun ? begun : CUSPARSE_STATUS_INVALID_VALUE;
    if (!wl_library_reads(function, "the row indices", rows, (size_t)nnz * sizeof *rows) ||
        !writes_int(function, "the offsets", offsets, (size_t)m + 1))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    for (int i = 0; i <= m; i++) {
        while (k < nnz && rows[k] - (int)base < i)
            k++;
        offsets[i] = (i == m ? nnz : k) + (int)base;
    }
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    static const char function[] = "cusparseXcsr2coo";
    const cusparseStatus_t begun = cusparse_begin(handle, function);
    if (begun || nnz < 0 || m < 0)
        return begun ? begun : CUSPARSE_STATUS_INVALID_VALUE;
    if (!wl_library_reads(function, "the offsets", offsets, ((size_t)m + 1) * sizeof *offsets) ||
        !writes_int(function, "the row indices", rows, (size_t)nnz))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    for (int i = 0; i < m; i++)
        for (int k = offsets[i] - (int)base; k < offsets[i + 1] - (int)base; k++)
            if (k >= 0 && k < nnz)
                rows[k] = i + (int)base;
    return CUSPARSE_STATUS_SUCCESS;
}
