/* cusparse.c - handles, modes and statuses of cuSPARSE, and the descriptors of its legacy functions. */
#include "libraries/cusparse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Checks ----------------------------------------------------------------------------------- */

static const struct {
    cusparseStatus_t status;
    const char *name, *text;
} statuses[] = {
#define X(name, value, text) {name, #name, text},
    WL_CUSPARSE_STATUSES(X)
#undef X
};

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unrecognized error code";
}

cusparseStatus_t cusparse_refuse(cusparseStatus_t status, const char *function, const char *format,
                                 ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "warplens: %s: ", function);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (answered with %s)\n", cusparseGetErrorName(status));
    va_end(arguments);
    return status;
}

cusparseStatus_t cusparse_begin(cusparseHandle_t handle, const char *function)
{
    if (handle == NULL)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!wl_library_may_run(function, handle->stream))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    wl_library_call(function);
    return CUSPARSE_STATUS_SUCCESS;
}

bool cusparse_has_scalars(cusparseHandle_t handle, const char *function, const void *alpha,
                          const void *beta, size_t bytes)
{
    return handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST ||
           (wl_library_reads(function, "alpha", alpha, bytes) &&
            wl_library_reads(function, "beta", beta, bytes));
}

/* ---- Handles ---------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    *handle = calloc(1, sizeof **handle);
    return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

static cusparseStatus_t is_there(const void *handle)
{
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    const cusparseStatus_t status = is_there(handle);
    free(handle);
    return status;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    *version = 12000;
    return is_there(handle);
}

/* A mode of the handle, set and asked for. */
#define MODE(set, get, mode_type, field)                                                           \
    cusparseStatus_t set(cusparseHandle_t handle, mode_type value)                                 \
    {                                                                                              \
        if (handle)                                                                                \
            handle->field = value;                                                                 \
        return is_there(handle);                                                                   \
    }                                                                                              \
    cusparseStatus_t get(cusparseHandle_t handle, mode_type *value)                                \
    {                                                                                              \
        if (handle)                                                                                \
            *value = handle->field;                                                                \
        return is_there(handle);                                                                   \
    }
MODE(cusparseSetStream, cusparseGetStream, cudaStream_t, stream)
MODE(cusparseSetPointerMode, cusparseGetPointerMode, cusparsePointerMode_t, pointer_mode)

/* ---- Descriptors of legacy functions, and what others keep ------------------------------------ */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor)
{
    _Static_assert(sizeof **descriptor <= WL_LIBRARY_DESCRIPTOR_BYTES, "calls keep all of it");
    *descriptor = calloc(1, WL_LIBRARY_DESCRIPTOR_BYTES);
    return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor)
{
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

#define PROPERTY(set, get, property_type, field)                                                   \
    cusparseStatus_t set(cusparseMatDescr_t descriptor, property_type value)                       \
    {                                                                                              \
        if (descriptor == NULL)                                                                    \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                  \
        descriptor->field = value;                                                                 \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    property_type get(const cusparseMatDescr_t descriptor)                                         \
    {                                                                                              \
        return descriptor->field;                                                                  \
    }
PROPERTY(cusparseSetMatType, cusparseGetMatType, cusparseMatrixType_t, type)
PROPERTY(cusparseSetMatFillMode, cusparseGetMatFillMode, cusparseFillMode_t, fill)
PROPERTY(cusparseSetMatDiagType, cusparseGetMatDiagType, cusparseDiagType_t, diagonal)
PROPERTY(cusparseSetMatIndexBase, cusparseGetMatIndexBase, cusparseIndexBase_t, base)
