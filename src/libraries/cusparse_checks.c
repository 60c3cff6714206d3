/* cusparse_checks.c - whether what cuSPARSE's descriptors say is in memory, and indices inside of their matrix: what is
 * computed behind these checks stays inside of the arrays.
 */
#include <inttypes.h>

#include "libraries/cusparse.h"

/* Whether all of `count` indices are below `limit`. */
static bool indices_inside(const char *function, const void *indices, cusparseIndexType_t type,
                           cusparseIndexBase_t base, int64_t count, int64_t limit)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t index = index_at(indices, type, k);
        if (index >= (int64_t)base && index - (int64_t)base < limit)
            continue;
        cusparse_refuse(CUSPARSE_STATUS_EXECUTION_FAILED, function,
                        "index %" PRId64 " of entry %" PRId64 " is outside of %" PRId64
                        " to %" PRId64,
                        index, k, (int64_t)base, limit - 1 + (int64_t)base);
        return false;
    }
    return true;
}

/* Whether offsets begin with the base, do not fall and end behind the last entry. */
static bool offsets_right(const char *function, const struct cusparseSpMatDescr *m)
{
    const int64_t count = major_count(m);
    int64_t last = m->base;
    for (int64_t i = 0; i <= count; i++) {
        const int64_t offset = index_at(m->offsets, m->offset_type, i);
        if (offset < last || (i == 0 && offset != last) ||
            (i == count && offset != m->nnz + (int64_t)m->base)) {
            cusparse_refuse(CUSPARSE_STATUS_EXECUTION_FAILED, function,
                            "offset %" PRId64 " is %" PRId64 ": offsets go from %d to %" PRId64
                            " and do not fall",
                            i, offset, (int)m->base, m->nnz + (int64_t)m->base);
            return false;
        }
        last = offset;
    }
    return true;
}

bool sparse_reads(const char *function, const struct cusparseSpMatDescr *m, size_t bytes)
{
    const bool coo = m->format == CUSPARSE_FORMAT_COO;
    const size_t nnz = (size_t)m->nnz, offsets = coo ? nnz : (size_t)major_count(m) + 1;
    if (!wl_library_reads(function, coo ? "the row indices" : "the offsets", m->offsets,
                          offsets * index_bytes(m->offset_type)) ||
        !wl_library_reads(function, "the indices", m->indices, nnz * index_bytes(m->index_type)) ||
        !wl_library_reads(function, "the values", m->values, nnz * bytes))
        return false;
    return (coo ? indices_inside(function, m->offsets, m->offset_type, m->base, m->nnz, m->rows)
                : offsets_right(function, m)) &&
           indices_inside(function, m->indices, m->index_type, m->base, m->nnz,
                          m->format == CUSPARSE_FORMAT_CSC ? m->rows : m->columns);
}

bool sparse_vector_reads(const char *function, const struct cusparseSpVecDescr *v, size_t bytes)
{
    return wl_library_reads(function, "the indices", v->indices,
                            (size_t)v->nnz * index_bytes(v->index_type)) &&
           wl_library_reads(function, "the values", v->values, (size_t)v->nnz * bytes) &&
           indices_inside(function, v->indices, v->index_type, v->base, v->nnz, v->size);
}

static struct matrix extent(const char *what, const struct cusparseDnMatDescr *m, size_t bytes)
{
    const bool by_rows = m->order == CUSPARSE_ORDER_ROW;
    return (struct matrix){.what = what,
                           .at = m->values,
                           .rows = (size_t)(by_rows ? m->columns : m->rows),
                           .columns = (size_t)(by_rows ? m->rows : m->columns),
                           .ld = (size_t)m->ld,
                           .element_bytes = bytes};
}

bool dense_reads(const char *function, const char *what, const struct cusparseDnMatDescr *m,
                 size_t bytes)
{
    const struct matrix matrix = extent(what, m, bytes);
    return cublas_reads(function, &matrix, 1);
}

bool dense_writes(const char *function, const char *what, const struct cusparseDnMatDescr *m,
                  size_t bytes)
{
    const struct matrix matrix = extent(what, m, bytes);
    return cublas_writes(function, &matrix);
}

struct cusparseDnMatDescr dense_vector(const struct cusparseDnVecDescr *v)
{
    return (struct cusparseDnMatDescr){v->size, 1, v->size, v->values, v->type, CUSPARSE_ORDER_COL};
}

struct view view_of(const struct cusparseDnMatDescr *m, cusparseOperation_t op, size_t bytes)
{
    const int64_t ld = m->ld * (int64_t)bytes, one = (int64_t)bytes;
    const bool by_rows = m->order == CUSPARSE_ORDER_ROW;
    const int64_t row_step = by_rows ? ld : one, column_step = by_rows ? one : ld;
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return (struct view){m->values, m->rows, m->columns, row_step, column_step, false};
    return (struct view){m->values,   m->columns, m->rows,
                         column_step, row_step,   op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}
