/* cusparse_elements.h - cuSPARSE's arithmetic for one type: T, TYPE, OWN(x) and CONJ(v) are the includer's
 * (cusparse_elements.c). Arguments are checked (cusparse.h), but for pivots.
 */
static bool OWN(is_zero)(const void *value)
{
    return *(const T *)value == 0;
}

#define ELEMENT(view, i, j)                                                                        \
    (*(T *)(void *)((view)->values + (i) * (view)->row_step + (j) * (view)->column_step))

static void OWN(sum_column)(const struct cusparseSpMatDescr *a, cusparseOperation_t op,
                            const struct view *b, int64_t column, T *sums)
{
    const T *values = a->values;
    struct walk walk = {.matrix = a};
    while (walk_next(&walk)) {
        const bool across = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const T v = values[walk.k];
        const T x = ELEMENT(b, across ? walk.row : walk.column, column);
        sums[across ? walk.column : walk.row] +=
            (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? CONJ(v) : v) *
            (b->conjugated ? CONJ(x) : x);
    }
}

static bool OWN(product)(const struct cusparseSpMatDescr *a, cusparseOperation_t op,
                         const void *alpha, const struct view *b, const void *beta,
                         const struct view *c)
{
    const T by = *(const T *)alpha, keep = *(const T *)beta;
    T *sums = calloc((size_t)c->rows + 1, sizeof *sums);
    for (int64_t j = 0; sums && j < c->columns; j++) {
        memset(sums, 0, (size_t)c->rows * sizeof *sums);
        OWN(sum_column)(a, op, b, j, sums);
        for (int64_t i = 0; i < c->rows; i++)
            ELEMENT(c, i, j) = keep == 0 ? by * sums[i] : by * sums[i] + keep * ELEMENT(c, i, j);
    }
    free(sums);
    return sums != NULL;
}
#undef ELEMENT

static void OWN(axpby)(const void *alpha, const struct cusparseSpVecDescr *x, const void *beta,
                       const struct cusparseDnVecDescr *y)
{
    T *to = y->values;
    for (int64_t i = 0; i < y->size; i++)
        to[i] = *(const T *)beta == 0 ? 0 : *(const T *)beta * to[i];
    for (int64_t k = 0; k < x->nnz; k++)
        to[index_at(x->indices, x->index_type, k) - x->base] +=
            *(const T *)alpha * ((const T *)x->values)[k];
}

static void OWN(dot)(const struct cusparseSpVecDescr *x, bool conjugated,
                     const struct cusparseDnVecDescr *y, void *result)
{
    T sum = 0;
    for (int64_t k = 0; k < x->nnz; k++) {
        const T v = ((const T *)x->values)[k];
        sum += (conjugated ? CONJ(v) : v) *
               ((const T *)y->values)[index_at(x->indices, x->index_type, k) - x->base];
    }
    *(T *)result = sum;
}

/* Row i of the triangle: what stands beside the diagonal goes off y[i], or, of the transpose, off the others; the diagonal
 * comes back. */
static T OWN(eliminate)(const struct cusparseSpMatDescr *a, cusparseOperation_t op, int64_t i, T *y,
                        bool apply)
{
    T diagonal = a->diagonal == CUSPARSE_DIAG_TYPE_UNIT; /* none: a division by 0, as on a GPU */
    const int64_t end = index_at(a->offsets, a->offset_type, i + 1) - a->base;
    for (int64_t k = index_at(a->offsets, a->offset_type, i) - a->base; k < end; k++) {
        const int64_t j = index_at(a->indices, a->index_type, k) - a->base;
        const T stored = ((const T *)a->values)[k];
        const T v = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? CONJ(stored) : stored;
        if (j == i && a->diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT)
            diagonal = v;
        else if (!apply || (a->fill == CUSPARSE_FILL_MODE_LOWER ? j >= i : j <= i))
            continue;
        else if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
            y[i] -= v * y[j];
        else
            y[j] -= v * y[i];
    }
    return diagonal;
}

static void OWN(solve)(const struct cusparseSpMatDescr *a, cusparseOperation_t op,
                       const void *alpha, const void *x, void *y)
{
    const bool across = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool upwards = (a->fill == CUSPARSE_FILL_MODE_LOWER) == across;
    T *to = y;
    for (int64_t i = 0; i < a->rows; i++)
        to[i] = *(const T *)alpha * ((const T *)x)[i];
    for (int64_t step = 0; step < a->rows; step++) {
        const int64_t i = upwards ? a->rows - 1 - step : step;
        if (across) {
            to[i] /= OWN(eliminate)(a, op, i, to, false);
            OWN(eliminate)(a, op, i, to, true);
        } else {
            const T diagonal = OWN(eliminate)(a, op, i, to, true);
            to[i] /= diagonal;
        }
    }
}

/* Row i less its multiple of the earlier row that entry k stands for. */
static void OWN(subtract_row)(const struct cusparseSpMatDescr *a, int64_t k, int64_t pivot_at,
                              const int64_t *place)
{
    T *values = a->values;
    const int64_t row = index_at(a->indices, a->index_type, k) - a->base;
    const int64_t end = index_at(a->offsets, a->offset_type, row + 1) - a->base;
    values[k] /= values[pivot_at];
    for (int64_t other = pivot_at + 1; other < end; other++) {
        const int64_t to = place[index_at(a->indices, a->index_type, other) - a->base];
        if (to >= 0)
            values[to] -= values[k] * values[other];
    }
}

/* Row by row, on the entries that there are (Saad, "Iterative Methods for Sparse Linear Systems", 10.3); the columns of a row
 * rise, as cuSPARSE has them. place[rows ...]: where each row's pivot is. */
static int64_t OWN(ilu0)(const struct cusparseSpMatDescr *a, int64_t *place)
{
    const T *values = a->values;
    int64_t *pivots = place + a->rows, missing = -1;
    for (int64_t i = 0; i < a->rows; i++)
        place[i] = pivots[i] = -1;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t begin = index_at(a->offsets, a->offset_type, i) - a->base;
        const int64_t end = index_at(a->offsets, a->offset_type, i + 1) - a->base;
        for (int64_t k = begin; k < end; k++)
            place[index_at(a->indices, a->index_type, k) - a->base] = k;
        for (int64_t k = begin; k < end; k++) {
            const int64_t j = index_at(a->indices, a->index_type, k) - a->base;
            if (j < i && pivots[j] >= 0)
                OWN(subtract_row)(a, k, pivots[j], place);
        }
        pivots[i] = place[i];
        if (missing < 0 && (pivots[i] < 0 || values[pivots[i]] == 0))
            missing = i;
        for (int64_t k = begin; k < end; k++)
            place[index_at(a->indices, a->index_type, k) - a->base] = -1;
    }
    return missing;
}

static const struct element_ops OWN(ops) = {TYPE,       sizeof(T), OWN(is_zero), OWN(product),
                                            OWN(axpby), OWN(dot),  OWN(solve),   OWN(ilu0)};
