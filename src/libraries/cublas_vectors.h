/* cublas_vectors.h - levels 1 and 2 of cuBLAS for a type: no header, but a text that cublas_types.c takes four
 * times. T, R, NAME and so on are there. */
#define CUBLAS(name, names, ...) cublasStatus_t name(cublasHandle_t handle, __VA_ARGS__);
#include "warplens/cublas_functions.def"
#undef CUBLAS

#define X(i) x[PLACE(i, n, incx)]
#define Y(i) y[PLACE(i, n, incy)]

cublasStatus_t NAME(axpy)(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,
                          int incy)
{
    BEGIN(NAME(axpy))
    SCALARS(T, alpha)
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(VECTOR(x, n, incx))
    WRITES(VECTOR(y, n, incy))
    for (int i = 0; i < n; i++)
        Y(i) += *alpha * X(i);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(copy)(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy)
{
    BEGIN(NAME(copy))
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(VECTOR(x, n, incx))
    WRITES(VECTOR(y, n, incy))
    for (int i = 0; i < n; i++)
        Y(i) = X(i);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(swap)(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy)
{
    BEGIN(NAME(swap))
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    WRITES(VECTOR(x, n, incx))
    WRITES(VECTOR(y, n, incy))
    for (int i = 0; i < n; i++) {
        const T kept = X(i);
        X(i) = Y(i);
        Y(i) = kept;
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define SCALE(name, type)                                                                          \
    cublasStatus_t name(cublasHandle_t handle, int n, const type *alpha, T *x, int incx)           \
    {                                                                                              \
        BEGIN(name)                                                                                \
        SCALARS(type, alpha)                                                                       \
        if (n <= 0 || incx <= 0)                                                                   \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        WRITES(VECTOR(x, n, incx))                                                                 \
        for (int i = 0; i < n; i++)                                                                \
            X(i) *= *alpha;                                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SCALE(NAME(scal), T)
#ifdef T_IS_COMPLEX
SCALE(REALSCAL, R)
#endif
#undef SCALE

/* ---- Results ---------------------------------------------------------------------------------- */

/* With the largest one taken out, so that no square is too large or too small. */
static R OWN(norm)(int n, const T *x, int incx)
{
    R largest = 0;
    double sum = 0;
    for (int i = 0; i < n; i++)
        largest = (R)fmax((double)largest, (double)MAGNITUDE(X(i)));
    for (int i = 0; i < n && largest > 0; i++) {
        const double part = (double)MAGNITUDE(X(i)) / (double)largest;
        sum += part * part;
    }
    return (R)((double)largest * sqrt(sum));
}

static R OWN(sum)(int n, const T *x, int incx)
{
    R sum = 0;
    for (int i = 0; i < n; i++)
        sum += ABSOLUTE(X(i));
    return sum;
}

/* From 1 on, as Fortran counts; 0: there is none. */
static int OWN(index)(int n, const T *x, int incx, int sign)
{
    int found = 0;
    for (int i = 1; i < n; i++)
        if ((R)sign * ABSOLUTE(X(i)) > (R)sign * ABSOLUTE(X(found)))
            found = i;
    return n > 0 ? found + 1 : 0;
}

#define REDUCTION(name, type, expression)                                                          \
    cublasStatus_t name(cublasHandle_t handle, int n, const T *x, int incx, type *result)          \
    {                                                                                              \
        BEGIN(name)                                                                                \
        MEMORY(cublas_writes_result(handle, function, result, sizeof *result))                     \
        if (n < 0 || incx <= 0)                                                                    \
            n = 0;                                                                                 \
        if (n > 0)                                                                                 \
            READS(VECTOR(x, n, incx))                                                              \
        *result = expression;                                                                      \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
REDUCTION(NORM(nrm2), R, OWN(norm)(n, x, incx))
REDUCTION(NORM(asum), R, OWN(sum)(n, x, incx))
REDUCTION(INDEX(amax), int, OWN(index)(n, x, incx, 1))
REDUCTION(INDEX(amin), int, OWN(index)(n, x, incx, -1))
#undef REDUCTION

#define DOT(name, of_x)                                                                            \
    cublasStatus_t name(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,  \
                        T *result)                                                                 \
    {                                                                                              \
        T sum = 0;                                                                                 \
        BEGIN(name)                                                                                \
        MEMORY(cublas_writes_result(handle, function, result, sizeof *result))                     \
        if (n > 0)                                                                                 \
            READS(VECTOR(x, n, incx), VECTOR(y, n, incy))                                          \
        for (int i = 0; i < n; i++)                                                                \
            sum += of_x * Y(i);                                                                    \
        *result = sum;                                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
#ifdef T_IS_COMPLEX
DOT(NAME(dotu), X(i))
DOT(NAME(dotc), CONJ(X(i)))
#else
DOT(NAME(dot), X(i))

cublasStatus_t NAME(rot)(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c,
                         const T *s)
{
    BEGIN(NAME(rot))
    SCALARS(T, c, s)
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    WRITES(VECTOR(x, n, incx))
    WRITES(VECTOR(y, n, incy))
    for (int i = 0; i < n; i++) {
        const T first = *c * X(i) + *s * Y(i);
        Y(i) = *c * Y(i) - *s * X(i);
        X(i) = first;
    }
    return CUBLAS_STATUS_SUCCESS;
}
#endif
#undef DOT

/* ---- A matrix and vectors --------------------------------------------------------------------- */

#undef X
#undef Y
#define X(i, n) x[PLACE(i, n, incx)]
#define Y(i, n) y[PLACE(i, n, incy)]

cublasStatus_t NAME(gemv)(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                          const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta,
                          T *y, int incy)
{
    BEGIN(NAME(gemv))
    ALLOW(m >= 0 && n >= 0 && lda >= least(m) && incx && incy && trans <= CUBLAS_OP_C)
    SCALARS(T, alpha, beta)
    const bool plain = trans == CUBLAS_OP_N;
    const int results = plain ? m : n, terms = plain ? n : m;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, m, n, lda), VECTOR(x, terms, incx))
    WRITES(VECTOR(y, results, incy))
    for (int i = 0; i < results; i++) {
        T sum = 0;
        for (int k = 0; k < terms; k++) {
            const T element = plain ? AT(a, lda, i, k) : AT(a, lda, k, i);
            sum += (trans == CUBLAS_OP_C ? CONJ(element) : element) * X(k, terms);
        }
        Y(i, results) = *alpha * sum + (*beta == 0 ? 0 : *beta * Y(i, results));
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define RANK_1(name, of_y)                                                                         \
    cublasStatus_t name(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, \
                        const T *y, int incy, T *a, int lda)                                       \
    {                                                                                              \
        BEGIN(name)                                                                                \
        ALLOW(m >= 0 && n >= 0 && lda >= least(m) && incx && incy)                                 \
        SCALARS(T, alpha)                                                                          \
        if (m == 0 || n == 0)                                                                      \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        READS(VECTOR(x, m, incx), VECTOR(y, n, incy))                                              \
        WRITES(MATRIX(a, m, n, lda))                                                               \
        for (int j = 0; j < n; j++)                                                                \
            for (int i = 0; i < m; i++)                                                            \
                AT(a, lda, i, j) += *alpha * X(i, m) * of_y;                                       \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
#ifdef T_IS_COMPLEX
RANK_1(NAME(geru), Y(j, n))
RANK_1(NAME(gerc), CONJ(Y(j, n)))
#else
RANK_1(NAME(ger), Y(j, n))

cublasStatus_t NAME(syr)(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,
                         const T *x, int incx, T *a, int lda)
{
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    BEGIN(NAME(syr))
    ALLOW(n >= 0 && lda >= least(n) && incx && uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha)
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const struct matrix written = MATRIX(a, n, n, lda);
    READS(VECTOR(x, n, incx))
    MEMORY(cublas_writes_triangle(function, &written, upper))
    for (int j = 0; j < n; j++)
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); i++)
            AT(a, lda, i, j) += *alpha * X(i, n) * X(j, n);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t NAME(symv)(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,
                          const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy)
{
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    BEGIN(NAME(symv))
    ALLOW(n >= 0 && lda >= least(n) && incx && incy && uplo <= CUBLAS_FILL_MODE_UPPER)
    SCALARS(T, alpha, beta)
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    READS(MATRIX(a, n, n, lda), VECTOR(x, n, incx))
    WRITES(VECTOR(y, n, incy))
    for (int i = 0; i < n; i++) {
        T sum = 0;
        for (int k = 0; k < n; k++)
            sum += ((k >= i) == upper || k == i ? AT(a, lda, i, k) : AT(a, lda, k, i)) * X(k, n);
        Y(i, n) = *alpha * sum + (*beta == 0 ? 0 : *beta * Y(i, n));
    }
    return CUBLAS_STATUS_SUCCESS;
}
#endif
#undef RANK_1

/* Element (i, j) of op(A), A being a triangle. */
static T OWN(triangle)(const T *a, int lda, bool upper, cublasOperation_t op, cublasDiagType_t diag,
                       int i, int j)
{
    const int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
    if (row == column && diag == CUBLAS_DIAG_UNIT)
        return 1;
    if (row != column && (row < column) != upper)
        return 0;
    const T element = AT(a, lda, row, column);
    return op == CUBLAS_OP_C ? CONJ(element) : element;
}

/* op(A) x, or what op(A) makes x of. An upper op(A) is multiplied from the first row on, solved from the last. */
static void OWN(triangle_vector)(const T *a, int lda, bool upper, cublasOperation_t op,
                                 cublasDiagType_t diag, int n, T *x, int incx, bool solve)
{
    const bool above = upper == (op == CUBLAS_OP_N), forward = above != solve;
    for (int step = 0; step < n; step++) {
        const int i = forward ? step : n - 1 - step;
        T sum = solve ? X(i, n) : 0;
        for (int k = above ? i + solve : 0; k < (above ? n : i + !solve); k++) {
            const T term = OWN(triangle)(a, lda, upper, op, diag, i, k) * X(k, n);
            sum += solve ? -term : term;
        }
        X(i, n) = solve ? sum / OWN(triangle)(a, lda, upper, op, diag, i, i) : sum;
    }
}

#define TRIANGLE_VECTOR(name, solve)                                                               \
    cublasStatus_t name(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,     \
                        cublasDiagType_t diag, int n, const T *a, int lda, T *x, int incx)         \
    {                                                                                              \
        BEGIN(name)                                                                                \
        ALLOW(n >= 0 && lda >= least(n) && incx && uplo <= CUBLAS_FILL_MODE_UPPER &&               \
              trans <= CUBLAS_OP_C)                                                                \
        if (n == 0)                                                                                \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        READS(MATRIX(a, n, n, lda))                                                                \
        WRITES(VECTOR(x, n, incx))                                                                 \
        OWN(triangle_vector)                                                                       \
        (a, lda, uplo == CUBLAS_FILL_MODE_UPPER, trans, diag, n, x, incx, solve);                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
TRIANGLE_VECTOR(NAME(trmv), false)
TRIANGLE_VECTOR(NAME(trsv), true)
#undef TRIANGLE_VECTOR
#undef X
#undef Y
