/* cusparse.h - what the files of cuSPARSE share: descriptors, checked arguments, and functions for a type of elements.
 *
 *   cusparse.c              handles, modes, statuses, descriptors of legacy programs
 *   cusparse_descriptors.c  descriptors of the generic functions; cusparse_checks.c: whether what they say is in memory
 *   cusparse_elements.c     the arithmetic, one text (cusparse_elements.h) for the four types of elements
 *   cusparse_generic.c      functions of the descriptors
 *   cusparse_convert.c      from one form to another
 *   cusparse_typed.c        functions of the legacy interface, one text (cusparse_typed.h) for the four types
 *
 * A matrix is walked entry by entry, whatever its form. Sums are made in the order of the entries, in the type of the
 * elements, so that the same call gives the same bits; cuSPARSE's own order is another.
 */
#ifndef WARPLENS_LIBRARIES_CUSPARSE_H
#define WARPLENS_LIBRARIES_CUSPARSE_H

#include <stdbool.h>

#include "libraries/cublas.h"
#include "warplens/cusparse_host.h"

enum {
    WORKSPACE_BYTES = 16
}; /* no function here needs any; programs allocate what they are told */

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};

/* Values, and where they are. CSR: offsets of rows, indices of columns; CSC: offsets of columns, indices of rows; COO: the row
 * of each entry in place of offsets. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *offsets, *indices, *values;
    cusparseIndexType_t offset_type, index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};

static inline int64_t index_at(const void *array, cusparseIndexType_t type, int64_t i)
{
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

static inline void index_set(void *array, cusparseIndexType_t type, int64_t i, int64_t value)
{
    if (type == CUSPARSE_INDEX_64I)
        ((int64_t *)array)[i] = value;
    else
        ((int32_t *)array)[i] = (int32_t)value;
}

static inline size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : 4;
}

/* Rows of CSR, columns of CSC. */
static inline int64_t major_count(const struct cusparseSpMatDescr *m)
{
    return m->format == CUSPARSE_FORMAT_CSC ? m->columns : m->rows;
}

/* The entries of a matrix that is as sparse_reads found it, from the first one on. */
struct walk {
    const struct cusparseSpMatDescr *matrix;
    int64_t next, major;
    int64_t k, row, column; /* the entry: values[k] */
};

static inline bool walk_next(struct walk *walk)
{
    const struct cusparseSpMatDescr *m = walk->matrix;
    if (walk->next == m->nnz)
        return false;
    walk->k = walk->next++;
    const int64_t minor = index_at(m->indices, m->index_type, walk->k) - m->base;
    if (m->format == CUSPARSE_FORMAT_COO)
        walk->major = index_at(m->offsets, m->offset_type, walk->k) - m->base;
    else
        while (index_at(m->offsets, m->offset_type, walk->major + 1) - m->base <= walk->k)
            walk->major++;
    walk->row = m->format == CUSPARSE_FORMAT_CSC ? minor : walk->major;
    walk->column = m->format == CUSPARSE_FORMAT_CSC ? walk->major : minor;
    return true;
}

/* A dense matrix with its order and operation applied: element (i, j) is at i * row_step + j * column_step. */
struct view {
    char *values;
    int64_t rows, columns, row_step, column_step;
    bool conjugated;
};

/* What is computed for a type of elements. */
struct element_ops {
    cudaDataType type;
    size_t bytes;
    bool (*is_zero)(const void *value);
    /* C = alpha * op(A) * B + beta * C; false: no memory. C is not read where beta is 0. */
    bool (*product)(const struct cusparseSpMatDescr *a, cusparseOperation_t op, const void *alpha,
                    const struct view *b, const void *beta, const struct view *c);
    void (*axpby)(const void *alpha, const struct cusparseSpVecDescr *x, const void *beta,
                  const struct cusparseDnVecDescr *y);
    void (*dot)(const struct cusparseSpVecDescr *x, bool conjugated,
                const struct cusparseDnVecDescr *y, void *result);
    /* op(A) * y = alpha * x, of the triangle that A's fill mode says; A is CSR. */
    void (*solve)(const struct cusparseSpMatDescr *a, cusparseOperation_t op, const void *alpha,
                  const void *x, void *y);
    /* In place, of a CSR matrix; the first row without a pivot, or -1. `place`: an element of a row's for each column. */
    int64_t (*ilu0)(const struct cusparseSpMatDescr *a, int64_t *place);
};

/* NULL: none of the four. */
const struct element_ops *cusparse_elements(cudaDataType type);
/* Those of a compute type that all `types` are; otherwise NULL, and a line. */
const struct element_ops *cusparse_elements_of(const char *function, cudaDataType compute,
                                               const cudaDataType *types, size_t count);

/* A line on standard error with what is wrong; gives `status` back. */
cusparseStatus_t cusparse_refuse(cusparseStatus_t status, const char *function, const char *format,
                                 ...) __attribute__((format(printf, 3, 4)));
/* Counts the call. What it answers if it is not to go on: the handle is none, or a kernel has failed. */
cusparseStatus_t cusparse_begin(cusparseHandle_t handle, const char *function);
/* Whether scalars are where the handle's pointer mode says. */
bool cusparse_has_scalars(cusparseHandle_t handle, const char *function, const void *alpha,
                          const void *beta, size_t bytes);

/* Whether arrays are on the device and indices inside of the matrix: a line otherwise. */
bool sparse_reads(const char *function, const struct cusparseSpMatDescr *matrix, size_t bytes);
bool sparse_vector_reads(const char *function, const struct cusparseSpVecDescr *vector,
                         size_t bytes);
bool dense_reads(const char *function, const char *what, const struct cusparseDnMatDescr *matrix,
                 size_t bytes);
bool dense_writes(const char *function, const char *what, const struct cusparseDnMatDescr *matrix,
                  size_t bytes);

struct cusparseDnMatDescr dense_vector(const struct cusparseDnVecDescr *vector);
struct view view_of(const struct cusparseDnMatDescr *matrix, cusparseOperation_t op, size_t bytes);

/* C = alpha * op(A) * op(B) + beta * C. */
struct product {
    cusparseOperation_t op_a, op_b;
    const void *alpha, *beta;
    const struct cusparseSpMatDescr *a;
    struct cusparseDnMatDescr b, c;
    cudaDataType compute;
};
cusparseStatus_t cusparse_multiply(cusparseHandle_t handle, const char *function,
                                   const struct product *product);

/* The non-zeros of a dense matrix, row by row (of a view the other way round: column by column): each one's place to `indices`
 * and `values`, and to `rows` its row, where there are any; `offsets` has one more than rows. */
void cusparse_compress(const struct element_ops *ops, const struct view *dense,
                       const struct cusparseSpMatDescr *to);
int64_t cusparse_count(const struct element_ops *ops, const struct view *dense, int *counts);
cusparseStatus_t cusparse_expand(cusparseHandle_t handle, const char *function,
                                 const struct cusparseSpMatDescr *a,
                                 const struct cusparseDnMatDescr *b);
/* A dense matrix to CSR or CSC; the sparse one's nnz is found. */
cusparseStatus_t cusparse_to_sparse(cusparseHandle_t handle, const char *function,
                                    const struct cusparseDnMatDescr *a,
                                    struct cusparseSpMatDescr *b);
/* A CSR matrix's entries, column by column; the values only if `with_values`. */
cusparseStatus_t cusparse_transpose(cusparseHandle_t handle, const char *function,
                                    const struct cusparseSpMatDescr *csr, bool with_values,
                                    void *csc_values, int *csc_rows, int *csc_offsets);

#endif
