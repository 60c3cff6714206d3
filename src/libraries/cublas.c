/* cublas.c - handles, modes and statuses of cuBLAS, its copies, and the checks of arguments. */
#include "libraries/cublas.h"

#include <stdlib.h>
#include <string.h>

/* ---- Checks ----------------------------------------------------------------------------------- */

cublasStatus_t cublas_begin(cublasHandle_t handle, const char *function)
{
    if (handle == NULL)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!wl_library_may_run(function, handle->stream))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    wl_library_call(function);
    return CUBLAS_STATUS_SUCCESS;
}

bool cublas_has_scalars(cublasHandle_t handle, const char *function, const void *const *scalars,
                        size_t bytes)
{
    for (; *scalars; scalars++)
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE &&
            !wl_library_reads(function, "a scalar", *scalars, bytes))
            return false;
    return true;
}

static size_t extent_bytes(const struct matrix *m)
{
    if (m->rows == 0 || m->columns == 0)
        return 0;
    return ((m->columns - 1) * m->ld + m->rows) * m->element_bytes;
}

bool cublas_reads(const char *function, const struct matrix *matrices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!wl_library_reads(function, matrices[i].what, matrices[i].at,
                              extent_bytes(&matrices[i])))
            return false;
    return true;
}

static void *column_of(const struct matrix *m, size_t column)
{
    return (char *)(uintptr_t)m->at + column * m->ld * m->element_bytes;
}

bool cublas_writes(const char *function, const struct matrix *m)
{
    if (!cublas_reads(function, m, 1))
        return false;
    if (m->ld == m->rows)
        return wl_library_writes(function, m->what, column_of(m, 0), extent_bytes(m));
    for (size_t j = 0; j < m->columns; j++)
        wl_library_writes(function, m->what, column_of(m, j), m->rows * m->element_bytes);
    return true;
}

bool cublas_writes_triangle(const char *function, const struct matrix *m, bool upper)
{
    if (!cublas_reads(function, m, 1))
        return false;
    for (size_t j = 0; j < m->columns; j++) {
        const size_t first = upper ? 0 : j, count = upper ? j + 1 : m->rows - j;
        wl_library_writes(function, m->what, (char *)column_of(m, j) + first * m->element_bytes,
                          count * m->element_bytes);
    }
    return true;
}

struct matrix cublas_vector(const char *what, const void *x, int n, int increment,
                            size_t element_bytes)
{
    const size_t step = (size_t)(increment < 0 ? -(long)increment : increment);
    if (step == 1)
        return (struct matrix){what, x, (size_t)n, 1, (size_t)n, element_bytes};
    return (struct matrix){what, x, 1, (size_t)n, step, element_bytes};
}

bool cublas_writes_result(cublasHandle_t handle, const char *function, void *result, size_t bytes)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST ||
           wl_library_writes(function, "the result", result, bytes);
}

/* ---- Handles ---------------------------------------------------------------------------------- */

EXPORTED(cublasStatus_t, cublasCreate, cublasHandle_t *handle)
{
    *handle = calloc(1, sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORTED(cublasStatus_t, cublasDestroy, cublasHandle_t handle)
{
    free(handle);
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* A mode of the handle, set and asked for. */
#define MODE(set, get, type, field)                                                                \
    EXPORTED(cublasStatus_t, set, cublasHandle_t handle, type value)                               \
    {                                                                                              \
        if (handle == NULL)                                                                        \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    EXPORTED(cublasStatus_t, get, cublasHandle_t handle, type *value)                              \
    {                                                                                              \
        if (handle == NULL)                                                                        \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
MODE(cublasSetStream, cublasGetStream, cudaStream_t, stream)
MODE(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, pointer_mode)
MODE(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)
MODE(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)

EXPORTED(cublasStatus_t, cublasSetWorkspace, cublasHandle_t handle, void *workspace, size_t bytes)
{
    (void)workspace;
    (void)bytes;
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

EXPORTED(cublasStatus_t, cublasGetVersion, cublasHandle_t handle, int *version)
{
    (void)handle;
    *version = 120000;
    return CUBLAS_STATUS_SUCCESS;
}

EXPORTED(size_t, cublasGetCudartVersion, void)
{
    int version = 0;
    cudaRuntimeGetVersion(&version);
    return (size_t)version;
}

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
#define X(name, value, text) {name, #name, text},
    WL_CUBLAS_STATUSES(X)
#undef X
};

EXPORTED(const char *, cublasGetStatusName, cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

EXPORTED(const char *, cublasGetStatusString, cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unknown status";
}

/* ---- Copies ----------------------------------------------------------------------------------- */

/* Which way, and in what stream; NULL: at once. */
struct way {
    enum cudaMemcpyKind kind;
    const cudaStream_t *stream;
};

/* Rows of one element: a vector with an increment is a matrix with one row. */
static cublasStatus_t copy(int rows, int columns, int element_bytes, const void *from, int from_ld,
                           void *to, int to_ld, struct way way)
{
    if (rows < 0 || columns < 0 || element_bytes <= 0 || from_ld < 1 || to_ld < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t size = (size_t)element_bytes, width = (size_t)rows * size;
    const size_t to_pitch = (size_t)to_ld * size, from_pitch = (size_t)from_ld * size;
    const cudaError_t error =
        way.stream ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, (size_t)columns,
                                       way.kind, *way.stream)
                   : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, (size_t)columns, way.kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_vector(int n, int element_bytes, const void *from, int from_step,
                                  void *to, int to_step, struct way way)
{
    if (from_step == 1 && to_step == 1)
        return copy(n, 1, element_bytes, from, n > 0 ? n : 1, to, n > 0 ? n : 1, way);
    return copy(1, n, element_bytes, from, from_step, to, to_step, way);
}

#define VECTOR_PARAMETERS                                                                          \
    int n, int element_bytes, const void *from, int from_step, void *to, int to_step
#define MATRIX_PARAMETERS                                                                          \
    int rows, int columns, int element_bytes, const void *from, int from_ld, void *to, int to_ld
#define COPIES(direction, kind)                                                                    \
    EXPORTED(cublasStatus_t, cublas##direction##Vector, VECTOR_PARAMETERS)                         \
    {                                                                                              \
        return copy_vector(n, element_bytes, from, from_step, to, to_step,                         \
                           (struct way){kind, NULL});                                              \
    }                                                                                              \
    EXPORTED(cublasStatus_t, cublas##direction##VectorAsync, VECTOR_PARAMETERS,                    \
             cudaStream_t stream)                                                                  \
    {                                                                                              \
        return copy_vector(n, element_bytes, from, from_step, to, to_step,                         \
                           (struct way){kind, &stream});                                           \
    }                                                                                              \
    EXPORTED(cublasStatus_t, cublas##direction##Matrix, MATRIX_PARAMETERS)                         \
    {                                                                                              \
        return copy(rows, columns, element_bytes, from, from_ld, to, to_ld,                        \
                    (struct way){kind, NULL});                                                     \
    }                                                                                              \
    EXPORTED(cublasStatus_t, cublas##direction##MatrixAsync, MATRIX_PARAMETERS,                    \
             cudaStream_t stream)                                                                  \
    {                                                                                              \
        return copy(rows, columns, element_bytes, from, from_ld, to, to_ld,                        \
                    (struct way){kind, &stream});                                                  \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
