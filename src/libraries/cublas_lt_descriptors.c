/* cublas_lt_descriptors.c - cuBLASLt's handles, descriptors and their attributes. */
#include <stdlib.h>
#include <string.h>

#include "libraries/cublas.h"
#include "warplens/cublas_lt_types.h"

const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

struct cublasLtContext {
    int unused;
};

EXPORTED(cublasStatus_t, cublasLtCreate, cublasLtHandle_t *handle)
{
    *handle = calloc(1, sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORTED(cublasStatus_t, cublasLtDestroy, cublasLtHandle_t handle)
{
    free(handle);
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

EXPORTED(size_t, cublasLtGetVersion, void)
{
    return 120000;
}

EXPORTED(const char *, cublasLtGetStatusName, cublasStatus_t status)
{
    return cublasGetStatusName(status);
}

EXPORTED(const char *, cublasLtGetStatusString, cublasStatus_t status)
{
    return cublasGetStatusString(status);
}

/* ---- Descriptors ------------------------------------------------------------------------------ */

/* Where an attribute is in its descriptor. */
struct attribute {
    int number;
    size_t offset, bytes;
};

#define IN(type, number, field)                                                                    \
    {                                                                                              \
        number, offsetof(type, field), sizeof(((type *)0)->field)                                  \
    }
#define OF_DESC(number, field) IN(cublasLtMatmulDescOpaque_t, CUBLASLT_MATMUL_DESC_##number, field)
#define OF_LAYOUT(number, field)                                                                   \
    IN(cublasLtMatrixLayoutOpaque_t, CUBLASLT_MATRIX_LAYOUT_##number, field)

static const struct attribute desc_attributes[] = {
    OF_DESC(COMPUTE_TYPE, compute),
    OF_DESC(SCALE_TYPE, scale_type),
    OF_DESC(POINTER_MODE, pointer_mode),
    OF_DESC(TRANSA, transa),
    OF_DESC(TRANSB, transb),
    OF_DESC(EPILOGUE, epilogue),
    OF_DESC(BIAS_POINTER, bias),
    OF_DESC(BIAS_BATCH_STRIDE, bias_stride),
    OF_DESC(EPILOGUE_AUX_POINTER, aux),
    OF_DESC(EPILOGUE_AUX_LD, aux_ld),
    OF_DESC(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    OF_DESC(SM_COUNT_TARGET, sm_count),
    OF_DESC(FAST_ACCUM, fast_accum),
    OF_DESC(BIAS_DATA_TYPE, bias_type),
    {.number = -1},
};
static const struct attribute layout_attributes[] = {
    OF_LAYOUT(TYPE, type),
    OF_LAYOUT(ORDER, order),
    OF_LAYOUT(ROWS, rows),
    OF_LAYOUT(COLS, columns),
    OF_LAYOUT(LD, ld),
    OF_LAYOUT(BATCH_COUNT, batch_count),
    OF_LAYOUT(STRIDED_BATCH_OFFSET, batch_stride),
    {.number = -1},
};

static const struct attribute *find(const struct attribute *all, int number)
{
    while (all->number >= 0 && all->number != number)
        all++;
    return all->number < 0 ? NULL : all;
}

static cublasStatus_t set(const struct attribute *all, void *opaque, int number, const void *value,
                          size_t bytes)
{
    const struct attribute *known = find(all, number);
    if (opaque == NULL || value == NULL || known == NULL || bytes != known->bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)opaque + known->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get(const struct attribute *all, const void *opaque, int number, void *value,
                          size_t bytes, size_t *written)
{
    const struct attribute *known = find(all, number);
    if (opaque == NULL || known == NULL || (bytes && (value == NULL || bytes != known->bytes)) ||
        (bytes == 0 && written == NULL))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (bytes)
        memcpy(value, (const char *)opaque + known->offset, bytes);
    if (written)
        *written = known->bytes;
    return CUBLAS_STATUS_SUCCESS;
}

/* CreateX, DestroyX: on the heap what Init fills; arguments are what Create hands to Init. */
#define OPAQUE(name, type, arguments, ...)                                                         \
    EXPORTED(cublasStatus_t, name##Create, __VA_ARGS__)                                            \
    {                                                                                              \
        type *opaque = *created = malloc(sizeof **created);                                        \
        return opaque ? name##Init arguments : CUBLAS_STATUS_ALLOC_FAILED;                         \
    }                                                                                              \
    EXPORTED(cublasStatus_t, name##Destroy, type *opaque)                                          \
    {                                                                                              \
        free(opaque);                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }

EXPORTED(cublasStatus_t, cublasLtMatmulDescInit, cublasLtMatmulDesc_t desc,
         cublasComputeType_t compute, cudaDataType_t scale_type)
{
    *desc = (cublasLtMatmulDescOpaque_t){.compute = (int32_t)compute,
                                         .scale_type = (int32_t)scale_type,
                                         .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                                         .bias_type = -1};
    return CUBLAS_STATUS_SUCCESS;
}
OPAQUE(cublasLtMatmulDesc, cublasLtMatmulDescOpaque_t, (opaque, compute, scale_type),
       cublasLtMatmulDescOpaque_t **created, cublasComputeType_t compute, cudaDataType_t scale_type)

EXPORTED(cublasStatus_t, cublasLtMatrixLayoutInit, cublasLtMatrixLayout_t layout,
         cudaDataType_t type, uint64_t rows, uint64_t columns, int64_t ld)
{
    *layout = (cublasLtMatrixLayoutOpaque_t){
        .type = type, .rows = rows, .columns = columns, .ld = ld, .batch_count = 1};
    return CUBLAS_STATUS_SUCCESS;
}
OPAQUE(cublasLtMatrixLayout, cublasLtMatrixLayoutOpaque_t, (opaque, type, rows, columns, ld),
       cublasLtMatrixLayoutOpaque_t **created, cudaDataType_t type, uint64_t rows, uint64_t columns,
       int64_t ld)

EXPORTED(cublasStatus_t, cublasLtMatmulPreferenceInit, cublasLtMatmulPreference_t preference)
{
    *preference = (cublasLtMatmulPreferenceOpaque_t){{0}};
    return CUBLAS_STATUS_SUCCESS;
}
OPAQUE(cublasLtMatmulPreference, cublasLtMatmulPreferenceOpaque_t, (opaque),
       cublasLtMatmulPreferenceOpaque_t **created)

EXPORTED(cublasStatus_t, cublasLtMatmulDescSetAttribute, cublasLtMatmulDesc_t desc,
         cublasLtMatmulDescAttributes_t attribute, const void *value, size_t bytes)
{
    return set(desc_attributes, desc, (int)attribute, value, bytes);
}

EXPORTED(cublasStatus_t, cublasLtMatmulDescGetAttribute, cublasLtMatmulDesc_t desc,
         cublasLtMatmulDescAttributes_t attribute, void *value, size_t bytes, size_t *written)
{
    return get(desc_attributes, desc, (int)attribute, value, bytes, written);
}

EXPORTED(cublasStatus_t, cublasLtMatrixLayoutSetAttribute, cublasLtMatrixLayout_t layout,
         cublasLtMatrixLayoutAttribute_t attribute, const void *value, size_t bytes)
{
    return set(layout_attributes, layout, (int)attribute, value, bytes);
}

EXPORTED(cublasStatus_t, cublasLtMatrixLayoutGetAttribute, cublasLtMatrixLayout_t layout,
         cublasLtMatrixLayoutAttribute_t attribute, void *value, size_t bytes, size_t *written)
{
    return get(layout_attributes, layout, (int)attribute, value, bytes, written);
}

EXPORTED(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute,
         cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
         const void *value, size_t bytes)
{
    (void)attribute;
    (void)bytes;
    return preference && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
