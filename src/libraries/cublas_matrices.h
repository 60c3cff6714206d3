/* cublas_matrices.h - level 3 of cuBLAS and its extensions for a type: no header, but a text that cublas_types.c
 * takes four times, behind cublas_vectors.h. */

#define ROWS(op, rows, columns) ((op) == CUBLAS_OP_N ? (rows) : (columns))

static T OWN(element)(const T *a, int lda, cublasOperation_t op, int i, int j)
{
    const T element = op == CUBLAS_OP_N ? AT(a, lda, i, j) : AT(a, lda, j, i);
    return op == CUBLAS_OP_C ? CONJ(element) : element;
}

/* op(A), m x k, with its columns one behind the other; the caller's. */
static T *OWN(gather)(const T *a, int lda, cublasOperation_t op, int m, int k)
{
    T *packed = malloc((size_t)m * (size_t)k * sizeof *packed + 1);
    for (int j = 0; packed && j < k; j++)
        for (int i = 0; i < m; i++)
            AT(packed, m, i, j) = OWN(element)(a, lda, op, i, j);
    return packed;
}

/* C = alpha A op(B) + beta C, A being packed; beta 0 forgets what was in C, were it no number. */
static void OWN(multiply)(cublasOperation_t transb, int m, int n, int k, T alpha, const T *packed,
                          const T *b, int ldb, T beta, T *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        T *column = &AT(c, ldc, 0, j);
        for (int i = 0; i < m; i++)
            column[i] = beta == 0 ? 0 : beta * column[i];
        for (int l = 0; l < k && alpha != 0; l++) {
            const T factor = alpha * OWN(element)(b, ldb, transb, l, j);
            const T *from = packed + (size_t)l * (size_t)m;
            for (int i = 0; i < m; i++)
                column[i] += factor * from[i];
        }
    }
}

static cublasStatus_t OWN(gemm)(const char *function, cublasOperation_t transa,
                                cublasOperation_t transb, int m, int n, int k, T alpha, const T *a,
                                int lda, const T *b, int ldb, T beta, T *c, int ldc)
{
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (k > 0 && alpha != 0)
        READS(MATRIX(a, ROWS(transa, m, k), ROWS(transa, k, m), lda),
              MATRIX(b, ROWS(transb, k, n), ROWS(transb, n, k), ldb))
    WRITES(MATRIX(c, m, n, ldc))
    T *packed = OWN(gather)(a, lda, transa, m, alpha != 0 ? k : 0);
    if (packed == NULL)
        return CUBLAS_STATUS_ALLOC_FAILED;
    OWN(multiply)(transb, m, n, k, alpha, packed, b, ldb, beta, c, ldc);
    free(packed);
    return CUBLAS_STATUS_SUCCESS;
}

#define GEMM_IS_POSSIBLE                                                                           \
    (m >= 0 && n >= 0 && k >= 0 && transa <= CUBLAS_OP_C && transb <= CUBLAS_OP_C &&               \
     lda >= least(ROWS(transa, m, k)) && ldb >= least(ROWS(transb, k, n)) && ldc >= least(m))

cublasStatus_t NAME(gemm)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, int k, const T *alpha, const T *a, int lda, const T *b,
                          int ldb, const T *beta, T *c, int ldc)
{
    BEGIN(NAME(gemm))
    ALLOW(GEMM_IS_POSSIBLE)
    SCALARS(T, alpha, beta)
    return OWN(gemm)(function, transa, transb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
}

cublasStatus_t NAME(gemmBatched)(cublasHandle_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k, const T *alpha,
                                 const T *const *a, int lda, const T *const *b, int ldb,
                                 const T *beta, T *const *c, int ldc, int count)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    BEGIN(NAME(gemmBatched))
    ALLOW(GEMM_IS_POSSIBLE && count >= 0)
    SCALARS(T, alpha, beta)
    const size_t bytes = (size_t)count * sizeof *a;
    MEMORY(wl_library_reads(function, "the array of pointers a", a, bytes) &&
           wl_library_reads(function, "the array of pointers b", b, bytes) &&
           wl_library_reads(function, "the array of pointers c", c, bytes))
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)
        status = OWN(gemm)(function, transa, transb, m, n, k, *alpha, a[i], lda, b[i], ldb, *beta,
                           c[i], ldc);
    return status;
}

cublasStatus_t NAME(gemmStridedBatched)(cublasHandle_t handle, cublasOperation_t transa,
                                        cublasOperation_t transb, int m, int n, int k,
                                        const T *alpha, const T *a, int lda, long long stride_a,
                                        const T *b, int ldb, long long stride_b, const T *beta,
                                        T *c, int ldc, long long stride_c, int count)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    BEGIN(NAME(gemmStridedBatched))
    ALLOW(GEMM_IS_POSSIBLE && count >= 0)
    SCALARS(T, alpha, beta)
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)
        status = OWN(gemm)(function, transa, transb, m, n, k, *alpha, a + i * stride_a, lda,
                           b + i * stride_b, ldb, *beta, c + i * stride_c, ldc);
    return status;
}

/* ---- Symmetric matrices ----------------------------------------------------------------------- */

cublasStatus_t NAME(symm)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                          int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb,
                          const T *beta, T *c, int ldc)
{
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER, left = side == CUBLAS_SIDE_LEFT;
    const int order = left ? m : n;
    BEGIN(NAME(symm))
    ALLOW(m >= 0 && n >= 0 && lda >= least(order) && ldb >= least(m) && ldc >= least(m) &&
          uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha, beta)
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, order, order, lda), MATRIX(b, m, n, ldb))
    WRITES(MATRIX(c, m, n, ldc))
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int k = 0; k < order; k++) {
                const int row = left ? i : k, column = left ? k : j;
                const bool stored = row == column || (row < column) == upper;
                sum += (stored ? AT(a, lda, row, column) : AT(a, lda, column, row)) *
                       (left ? AT(b, ldb, k, j) : AT(b, ldb, i, k));
            }
            AT(c, ldc, i, j) = *alpha * sum + (*beta == 0 ? 0 : *beta * AT(c, ldc, i, j));
        }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(syrk)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                          int n, int k, const T *alpha, const T *a, int lda, const T *beta, T *c,
                          int ldc)
{
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER, plain = trans == CUBLAS_OP_N;
    BEGIN(NAME(syrk))
    ALLOW(n >= 0 && k >= 0 && lda >= least(plain ? n : k) && ldc >= least(n) &&
          trans <= CUBLAS_OP_C && uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha, beta)
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const struct matrix written = MATRIX(c, n, n, ldc);
    READS(MATRIX(a, plain ? n : k, plain ? k : n, lda))
    MEMORY(cublas_writes_triangle(function, &written, upper))
    for (int j = 0; j < n; j++)
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
            T sum = 0;
            for (int l = 0; l < k; l++)
                sum += plain ? AT(a, lda, i, l) * AT(a, lda, j, l)
                             : AT(a, lda, l, i) * AT(a, lda, l, j);
            AT(c, ldc, i, j) = *alpha * sum + (*beta == 0 ? 0 : *beta * AT(c, ldc, i, j));
        }
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- Triangles -------------------------------------------------------------------------------- */

/* Every column of B is a vector for op(A), or every row for its transpose: with A conjugated where both are, since
 * X op(A) = B is op(A)^T X^T = B^T. */
static void OWN(triangle_matrix)(cublasSideMode_t side, const T *a, int lda, bool upper,
                                 cublasOperation_t op, cublasDiagType_t diag, int m, int n, T *b,
                                 int ldb, bool solve)
{
    if (side == CUBLAS_SIDE_LEFT)
        for (int j = 0; j < n; j++)
            OWN(triangle_vector)(a, lda, upper, op, diag, m, &AT(b, ldb, 0, j), 1, solve);
    else
        for (int i = 0; i < m; i++) {
            T *row = &AT(b, ldb, i, 0);
            /* (A^H)^T is A conjugated: A itself on the conjugated row */
            for (int j = 0; j < n && op == CUBLAS_OP_C; j++)
                row[(size_t)j * (size_t)ldb] = CONJ(row[(size_t)j * (size_t)ldb]);
            OWN(triangle_vector)
            (a, lda, upper, op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N, diag, n, row, ldb,
             solve);
            for (int j = 0; j < n && op == CUBLAS_OP_C; j++)
                row[(size_t)j * (size_t)ldb] = CONJ(row[(size_t)j * (size_t)ldb]);
        }
}

cublasStatus_t NAME(trmm)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                          cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                          const T *alpha, const T *a, int lda, const T *b, int ldb, T *c, int ldc)
{
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    BEGIN(NAME(trmm))
    ALLOW(m >= 0 && n >= 0 && lda >= least(order) && ldb >= least(m) && ldc >= least(m) &&
          trans <= CUBLAS_OP_C && uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha)
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, order, order, lda), MATRIX(b, m, n, ldb))
    WRITES(MATRIX(c, m, n, ldc))
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            AT(c, ldc, i, j) = *alpha * AT(b, ldb, i, j);
    OWN(triangle_matrix)
    (side, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, trans, diag, m, n, c, ldc, false);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(trsm)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                          cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                          const T *alpha, const T *a, int lda, T *b, int ldb)
{
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    BEGIN(NAME(trsm))
    ALLOW(m >= 0 && n >= 0 && lda >= least(order) && ldb >= least(m) && trans <= CUBLAS_OP_C &&
          uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha)
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, order, order, lda))
    WRITES(MATRIX(b, m, n, ldb))
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            AT(b, ldb, i, j) *= *alpha;
    OWN(triangle_matrix)
    (side, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, trans, diag, m, n, b, ldb, true);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- Sums, and a diagonal --------------------------------------------------------------------- */

/* C may be A or B where that one is not transposed. */
cublasStatus_t NAME(geam)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, const T *alpha, const T *a, int lda, const T *beta,
                          const T *b, int ldb, T *c, int ldc)
{
    BEGIN(NAME(geam))
    ALLOW(m >= 0 && n >= 0 && transa <= CUBLAS_OP_C && transb <= CUBLAS_OP_C &&
          lda >= least(ROWS(transa, m, n)) && ldb >= least(ROWS(transb, m, n)) && ldc >= least(m))
    SCALARS(T, alpha, beta)
    const bool with_a = *alpha != 0, with_b = *beta != 0;
    ALLOW(!(with_a && c == a && transa) && !(with_b && c == b && transb))
    if (with_a)
        READS(MATRIX(a, ROWS(transa, m, n), ROWS(transa, n, m), lda))
    if (with_b)
        READS(MATRIX(b, ROWS(transb, m, n), ROWS(transb, n, m), ldb))
    WRITES(MATRIX(c, m, n, ldc))
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            AT(c, ldc, i, j) = (with_a ? *alpha * OWN(element)(a, lda, transa, i, j) : 0) +
                               (with_b ? *beta * OWN(element)(b, ldb, transb, i, j) : 0);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(dgmm)(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *a,
                          int lda, const T *x, int incx, T *c, int ldc)
{
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    BEGIN(NAME(dgmm))
    ALLOW(m >= 0 && n >= 0 && lda >= least(m) && ldc >= least(m) && incx)
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, m, n, lda), VECTOR(x, order, incx))
    WRITES(MATRIX(c, m, n, ldc))
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            AT(c, ldc, i, j) =
                AT(a, lda, i, j) * x[PLACE(side == CUBLAS_SIDE_LEFT ? i : j, order, incx)];
    return CUBLAS_STATUS_SUCCESS;
}
#undef ROWS
#undef GEMM_IS_POSSIBLE
