/* cublas_factors.h - cuBLAS's factors of many matrices for a type: no header, but a text that cublas_types.c takes four times,
 * behind cublas_matrices.h. */

/* The row of column k's largest element from the diagonal on. */
static int OWN(pivot_row)(const T *a, int lda, int n, int k)
{
    int most = k;
    for (int i = k + 1; i < n; i++)
        if (MAGNITUDE(AT(a, lda, i, k)) > MAGNITUDE(AT(a, lda, most, k)))
            most = i;
    return most;
}

static void OWN(swap_rows)(T *a, int lda, int n, int one, int other)
{
    for (int j = 0; j < n && one != other; j++) {
        const T kept = AT(a, lda, one, j);
        AT(a, lda, one, j) = AT(a, lda, other, j);
        AT(a, lda, other, j) = kept;
    }
}

/* P A = L U in place of A; which column is the first without a pivot, from 1 on, or 0. */
static int OWN(getrf)(T *a, int lda, int n, int *pivots)
{
    int singular = 0;
    for (int k = 0; k < n; k++) {
        const int row = pivots ? OWN(pivot_row)(a, lda, n, k) : k;
        if (pivots)
            pivots[k] = row + 1;
        OWN(swap_rows)(a, lda, n, k, row);
        const T pivot = AT(a, lda, k, k);
        if (pivot == 0) {
            singular = singular ? singular : k + 1;
            continue;
        }
        for (int i = k + 1; i < n; i++)
            AT(a, lda, i, k) /= pivot;
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                AT(a, lda, i, j) -= AT(a, lda, i, k) * AT(a, lda, k, j);
    }
    return singular;
}

cublasStatus_t NAME(getrfBatched)(cublasHandle_t handle, int n, T *const *a, int lda, int *pivots,
                                  int *info, int count)
{
    BEGIN(NAME(getrfBatched))
    ALLOW(n >= 0 && lda >= least(n) && count >= 0)
    const size_t matrices = (size_t)count, rows = (size_t)n;
    MEMORY(wl_library_reads(function, "the array of pointers a", a, matrices * sizeof *a) &&
           wl_library_writes(function, "info", info, matrices * sizeof *info) &&
           (pivots == NULL ||
            wl_library_writes(function, "the pivots", pivots, matrices * rows * sizeof *pivots)))
    for (size_t i = 0; i < matrices; i++) {
        WRITES(((struct matrix){"a", a[i], rows, rows, (size_t)lda, sizeof(T)}))
        info[i] = OWN(getrf)(a[i], lda, n, pivots ? pivots + i * rows : NULL);
    }
    return CUBLAS_STATUS_SUCCESS;
}
