/* cusparse_descriptors.c - descriptors of cuSPARSE's generic functions, and whether what they say is in memory. */
#include "libraries/cusparse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A copy of a descriptor for the program, of sizes that are none below 0. */
#define CREATE(to, sizes_are_right, ...)                                                           \
    if (!(sizes_are_right))                                                                        \
        return CUSPARSE_STATUS_INVALID_VALUE;                                                      \
    _Static_assert(sizeof **(to) <= WL_LIBRARY_DESCRIPTOR_BYTES, "calls keep all of it");          \
    *(to) = calloc(1, WL_LIBRARY_DESCRIPTOR_BYTES);                                                \
    if (*(to) == NULL)                                                                             \
        return CUSPARSE_STATUS_ALLOC_FAILED;                                                       \
    **(to) = __VA_ARGS__;                                                                          \
    return CUSPARSE_STATUS_SUCCESS;

/* free() of what a const descriptor points to. */
static cusparseStatus_t destroy(const void *descriptor)
{
    free((void *)(uintptr_t)descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

static void *writable(const void *array)
{
    return (void *)(uintptr_t)array;
}

/* ---- Sparse matrices -------------------------------------------------------------------------- */

/* Of a matrix by rows, by columns or by both: `offsets` are the first's, or the row indices of both. */
static cusparseStatus_t
create(cusparseSpMatDescr_t *matrix, cusparseFormat_t format, int64_t rows, int64_t columns,
       int64_t nnz, void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
       cusparseIndexType_t index_type, cusparseIndexBase_t base,
       cudaDataType type){CREATE(matrix, rows >= 0 && columns >= 0 && nnz >= 0,
                                 (struct cusparseSpMatDescr){.format = format,
                                                             .rows = rows,
                                                             .columns = columns,
                                                             .nnz = nnz,
                                                             .offsets = offsets,
                                                             .indices = indices,
                                                             .values = values,
                                                             .offset_type = offset_type,
                                                             .index_type = index_type,
                                                             .base = base,
                                                             .type = type})}

cusparseStatus_t
    cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,
                      void *row_offsets, void *column_indices, void *values,
                      cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                      cusparseIndexBase_t base, cudaDataType type)
{
    return create(matrix, CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets, column_indices,
                  values, offset_type, index_type, base, type);
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void *row_offsets,
                                        const void *column_indices, const void *values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    cusparseSpMatDescr_t made = NULL;
    const cusparseStatus_t status = cusparseCreateCsr(
        &made, rows, columns, nnz, writable(row_offsets), writable(column_indices),
        writable(values), offset_type, index_type, base, type);
    *matrix = made;
    return status;
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *column_offsets, void *row_indices,
                                   void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    return create(matrix, CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets, row_indices,
                  values, offset_type, index_type, base, type);
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *row_indices, void *column_indices,
                                   void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    return create(matrix, CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices,
                  values, index_type, index_type, base, type);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    return destroy(matrix);
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **row_offsets, void **column_indices,
                                void **values, cusparseIndexType_t *offset_type,
                                cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                cudaDataType *type)
{
    *row_offsets = matrix->offsets;
    *column_indices = matrix->indices;
    *values = matrix->values;
    *offset_type = matrix->offset_type;
    *index_type = matrix->index_type;
    *base = matrix->base;
    *type = matrix->type;
    return cusparseSpMatGetSize(matrix, rows, columns, nnz);
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                     void *values)
{
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *row_offsets,
                                        void *column_indices, void *values)
{
    return set_pointers(matrix, row_offsets, column_indices, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *column_offsets,
                                        void *row_indices, void *values)
{
    return set_pointers(matrix, column_offsets, row_indices, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices,
                                        void *column_indices, void *values)
{
    return set_pointers(matrix, row_indices, column_indices, values);
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nnz)
{
    *rows = matrix->rows;
    *columns = matrix->columns;
    *nnz = matrix->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format)
{
    *format = matrix->format;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base)
{
    *base = matrix->base;
    return CUSPARSE_STATUS_SUCCESS;
}

/* The part of a matrix that an attribute is. */
static void *attribute_of(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                          size_t bytes)
{
    const void *part = attribute == CUSPARSE_SPMAT_FILL_MODE   ? (const void *)&matrix->fill
                       : attribute == CUSPARSE_SPMAT_DIAG_TYPE ? (const void *)&matrix->diagonal
                                                               : NULL;
    return bytes == sizeof matrix->fill ? writable(part) : NULL;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    void *part = attribute_of(matrix, attribute, bytes);
    if (part)
        memcpy(part, data, bytes);
    return part ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    const void *part = attribute_of(matrix, attribute, bytes);
    if (part)
        memcpy(data, part, bytes);
    return part ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

/* ---- Vectors and dense matrices --------------------------------------------------------------- */

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type){
    CREATE(vector, size >= 0, (struct cusparseDnVecDescr){size, values, type})}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
                                          const void *values, cudaDataType type)
{
    cusparseDnVecDescr_t made = NULL;
    const cusparseStatus_t status = cusparseCreateDnVec(&made, size, writable(values), type);
    *vector = made;
    return status;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    return destroy(vector);
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type)
{
    *size = vector->size;
    *values = vector->values;
    *type = vector->type;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order){
    CREATE(matrix,
           rows >= 0 && columns >= 0 && ld >= (order == CUSPARSE_ORDER_ROW ? columns : rows),
           (struct cusparseDnMatDescr){rows, columns, ld, values, type, order})}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
                                          int64_t columns, int64_t ld, const void *values,
                                          cudaDataType type, cusparseOrder_t order)
{
    cusparseDnMatDescr_t made = NULL;
    const cusparseStatus_t status =
        cusparseCreateDnMat(&made, rows, columns, ld, writable(values), type, order);
    *matrix = made;
    return status;
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    return destroy(matrix);
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order)
{
    *rows = matrix->rows;
    *columns = matrix->columns;
    *ld = matrix->ld;
    *values = matrix->values;
    *type = matrix->type;
    *order = matrix->order;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType type){
    CREATE(vector, size >= 0 && nnz >= 0 && nnz <= size,
           (struct cusparseSpVecDescr){size, nnz, indices, values, index_type, base, type})}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector)
{
    return destroy(vector);
}

#define VALUES(kind, descriptor)                                                                   \
    cusparseStatus_t cusparse##kind##GetValues(descriptor of, void **values)                       \
    {                                                                                              \
        *values = of->values;                                                                      \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##kind##SetValues(descriptor of, void *values)                        \
    {                                                                                              \
        of->values = values;                                                                       \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
VALUES(SpMat, cusparseSpMatDescr_t)
VALUES(DnVec, cusparseDnVecDescr_t)
VALUES(DnMat, cusparseDnMatDescr_t)
VALUES(SpVec, cusparseSpVecDescr_t)
