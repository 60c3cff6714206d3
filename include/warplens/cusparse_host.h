/* cusparse_host.h - the functions of cuSPARSE that there are; plain C. src/libraries/cusparse_....c compute them; those of
 * one type of elements (cusparseScsrmv) are in cusparse_typed.def.
 */
#ifndef WARPLENS_CUSPARSE_HOST_H
#define WARPLENS_CUSPARSE_HOST_H

#include "warplens/cusparse_types.h"

#ifdef __cplusplus
#include "warplens/compat/cuComplex.h"
#define WL_CUSPARSE_COMPLEX cuComplex
#define WL_CUSPARSE_DOUBLE_COMPLEX cuDoubleComplex
#else
#define WL_CUSPARSE_COMPLEX float _Complex
#define WL_CUSPARSE_DOUBLE_COMPLEX double _Complex
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handles and descriptors ------------------------------------------------------------------ */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *row_offsets, void *column_indices,
                                   void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void *row_offsets,
                                        const void *column_indices, const void *values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *column_offsets, void *row_indices,
                                   void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *row_indices, void *column_indices,
                                   void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **row_offsets, void **column_indices,
                                void **values, cusparseIndexType_t *offset_type,
                                cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                cudaDataType *type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *row_offsets,
                                        void *column_indices, void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *column_offsets,
                                        void *row_indices, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices,
                                        void *column_indices, void *values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes);

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
                                          const void *values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
                                          int64_t columns, int64_t ld, const void *values,
                                          cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values);

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);

#ifdef __cplusplus
}
#endif

/* ---- How functions are declared --------------------------------------------------------------- */

/* CUSPARSE(name, arguments, parameters behind the handle): in C++ a call can be kept in a graph, and the arguments say with
 * what becomes of each (cuda_library_calls.h). CUSPARSE_AT_ONCE(name, parameters): it cannot. */
#ifdef __cplusplus
#include "warplens/cuda_library_calls.h"

WL_LIBRARY(cusparse, CUSPARSE)

/* Of a type that no function here computes in: 0. */
inline size_t wl_cusparse_bytes(cudaDataType type)
{
    return type == CUDA_R_32F                         ? 4
           : type == CUDA_R_64F || type == CUDA_C_32F ? 8
           : type == CUDA_C_64F                       ? 16
                                                      : 0;
}
inline size_t wl_cusparse_bytes(cusparseDnVecDescr_t vector)
{
    int64_t size;
    void *values;
    cudaDataType type;
    cusparseDnVecGet(vector, &size, &values, &type);
    return wl_cusparse_bytes(type);
}

#define CUSPARSE(name, names, ...)                                                                 \
    WL_LIBRARY_FUNCTION(cusparseStatus_t, cusparseHandle_t, name, names, __VA_ARGS__)
#define CUSPARSE_AT_ONCE(name, ...)                                                                \
    extern "C" cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__);
#else
#define CUSPARSE(name, names, ...) cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__);
#define CUSPARSE_AT_ONCE(name, ...) cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__);
#endif

/* ---- Functions of any type -------------------------------------------------------------------- */

/* As cuSPARSE has them: a buffer's size, a preparation that may be left out, and the function, of the same parameters. */
#define WL_CUSPARSE_STEPS(name, names, ...)                                                        \
    CUSPARSE_AT_ONCE(name##_bufferSize, __VA_ARGS__, size_t *bytes)                                \
    CUSPARSE(name, names, __VA_ARGS__, void *buffer)
#define WL_CUSPARSE_PREPARED(name, names, ...)                                                     \
    WL_CUSPARSE_STEPS(name, names, __VA_ARGS__)                                                    \
    CUSPARSE_AT_ONCE(name##_preprocess, __VA_ARGS__, void *buffer)

WL_CUSPARSE_PREPARED(cusparseSpMV,
                     (op, wl::scalar(alpha, wl_cusparse_bytes(compute)), wl::descriptor(a),
                      wl::descriptor(x), wl::scalar(beta, wl_cusparse_bytes(compute)),
                      wl::descriptor(y), compute, algorithm, buffer),
                     cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
                     cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                     cudaDataType compute, cusparseSpMVAlg_t algorithm)
WL_CUSPARSE_PREPARED(cusparseSpMM,
                     (op_a, op_b, wl::scalar(alpha, wl_cusparse_bytes(compute)), wl::descriptor(a),
                      wl::descriptor(b), wl::scalar(beta, wl_cusparse_bytes(compute)),
                      wl::descriptor(c), compute, algorithm, buffer),
                     cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                     cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                     cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm)
WL_CUSPARSE_STEPS(cusparseSparseToDense, (wl::descriptor(a), wl::descriptor(b), algorithm, buffer),
                  cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                  cusparseSparseToDenseAlg_t algorithm)
CUSPARSE_AT_ONCE(cusparseSpVV_bufferSize, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                 cusparseConstDnVecDescr_t y, const void *result, cudaDataType compute,
                 size_t *bytes)
CUSPARSE(cusparseSpVV,
         (op, wl::descriptor(x), wl::descriptor(y), wl::result(result), compute, buffer),
         cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
         void *result, cudaDataType compute, void *buffer)

/* The analysis says to the descriptor how many entries there are: at once. */
#define WL_CUSPARSE_TO_SPARSE                                                                      \
    cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm
CUSPARSE_AT_ONCE(cusparseDenseToSparse_bufferSize, WL_CUSPARSE_TO_SPARSE, size_t *bytes)
CUSPARSE_AT_ONCE(cusparseDenseToSparse_analysis, WL_CUSPARSE_TO_SPARSE, void *buffer)
CUSPARSE(cusparseDenseToSparse_convert, (wl::descriptor(a), wl::descriptor(b), algorithm, buffer),
         WL_CUSPARSE_TO_SPARSE, void *buffer)
CUSPARSE(cusparseAxpby,
         (wl::scalar(alpha, wl_cusparse_bytes(y)), wl::descriptor(x),
          wl::scalar(beta, wl_cusparse_bytes(y)), wl::descriptor(y)),
         const void *alpha, cusparseConstSpVecDescr_t x, const void *beta, cusparseDnVecDescr_t y)
CUSPARSE(cusparseGather, (wl::descriptor(y), wl::descriptor(x)), cusparseConstDnVecDescr_t y,
         cusparseSpVecDescr_t x)
CUSPARSE(cusparseScatter, (wl::descriptor(x), wl::descriptor(y)), cusparseConstSpVecDescr_t x,
         cusparseDnVecDescr_t y)

#define WL_CUSPARSE_SPSV                                                                           \
    cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,                        \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,                 \
        cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t system
CUSPARSE_AT_ONCE(cusparseSpSV_bufferSize, WL_CUSPARSE_SPSV, size_t *bytes)
CUSPARSE_AT_ONCE(cusparseSpSV_analysis, WL_CUSPARSE_SPSV, void *buffer)
CUSPARSE(cusparseSpSV_solve,
         (op, wl::scalar(alpha, wl_cusparse_bytes(compute)), wl::descriptor(a), wl::descriptor(x),
          wl::descriptor(y), compute, algorithm, system),
         WL_CUSPARSE_SPSV)

#define WL_CUSPARSE_CSR2CSC                                                                        \
    int m, int n, int nnz, const void *csr_values, const int *csr_offsets, const int *csr_columns, \
        void *csc_values, int *csc_offsets, int *csc_rows, cudaDataType type,                      \
        cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm
CUSPARSE_AT_ONCE(cusparseCsr2cscEx2_bufferSize, WL_CUSPARSE_CSR2CSC, size_t *bytes)
CUSPARSE(cusparseCsr2cscEx2,
         (m, n, nnz, csr_values, csr_offsets, csr_columns, csc_values, csc_offsets, csc_rows, type,
          action, base, algorithm, buffer),
         WL_CUSPARSE_CSR2CSC, void *buffer)
CUSPARSE(cusparseXcoo2csr, (rows, nnz, m, offsets, base), const int *rows, int nnz, int m,
         int *offsets, cusparseIndexBase_t base)
CUSPARSE(cusparseXcsr2coo, (offsets, nnz, m, rows, base), const int *offsets, int nnz, int m,
         int *rows, cusparseIndexBase_t base)
CUSPARSE_AT_ONCE(cusparseXcsrilu02_zeroPivot, csrilu02Info_t info, int *position)

/* ---- Functions of one type -------------------------------------------------------------------- */

#define T float
#define NAME(x) cusparseS##x
#include "warplens/cusparse_typed.def"
#undef T
#undef NAME
#define T double
#define NAME(x) cusparseD##x
#include "warplens/cusparse_typed.def"
#undef T
#undef NAME
#define T WL_CUSPARSE_COMPLEX
#define NAME(x) cusparseC##x
#include "warplens/cusparse_typed.def"
#undef T
#undef NAME
#define T WL_CUSPARSE_DOUBLE_COMPLEX
#define NAME(x) cusparseZ##x
#include "warplens/cusparse_typed.def"
#undef T
#undef NAME
#undef CUSPARSE
#undef CUSPARSE_AT_ONCE

#endif
