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

/* ---- Functions of any type -------------------------------------------------------------------- */

/* As cuSPARSE has them: a buffer's size, a preparation that may be left out, and the function, of the same parameters. */
#define WL_CUSPARSE_STEPS(name, ...)                                                               \
    cusparseStatus_t name##_bufferSize(cusparseHandle_t handle, __VA_ARGS__, size_t *bytes);       \
    cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__, void *buffer);
#define WL_CUSPARSE_PREPARED(name, ...)                                                            \
    WL_CUSPARSE_STEPS(name, __VA_ARGS__)                                                           \
    cusparseStatus_t name##_preprocess(cusparseHandle_t handle, __VA_ARGS__, void *buffer);

WL_CUSPARSE_PREPARED(cusparseSpMV, cusparseOperation_t op, const void *alpha,
                     cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                     cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm)
WL_CUSPARSE_PREPARED(cusparseSpMM, cusparseOperation_t op_a, cusparseOperation_t op_b,
                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                     const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                     cusparseSpMMAlg_t algorithm)
WL_CUSPARSE_STEPS(cusparseSparseToDense, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                  cusparseSparseToDenseAlg_t algorithm)
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType compute, size_t *bytes);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType compute, void *buffer);

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t *bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y);

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor);
#define WL_CUSPARSE_SPSV(name, ...)                                                                \
    cusparseStatus_t name(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,      \
                          cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,                \
                          cusparseDnVecDescr_t y, cudaDataType compute,                            \
                          cusparseSpSVAlg_t algorithm, __VA_ARGS__)
WL_CUSPARSE_SPSV(cusparseSpSV_bufferSize, cusparseSpSVDescr_t descriptor, size_t *bytes);
WL_CUSPARSE_SPSV(cusparseSpSV_analysis, cusparseSpSVDescr_t descriptor, void *buffer);
WL_CUSPARSE_SPSV(cusparseSpSV_solve, cusparseSpSVDescr_t descriptor);

#define WL_CUSPARSE_CSR2CSC(name, last)                                                            \
    cusparseStatus_t name(cusparseHandle_t handle, int m, int n, int nnz, const void *csr_values,  \
                          const int *csr_offsets, const int *csr_columns, void *csc_values,        \
                          int *csc_offsets, int *csc_rows, cudaDataType type,                      \
                          cusparseAction_t action, cusparseIndexBase_t base,                       \
                          cusparseCsr2CscAlg_t algorithm, last)
WL_CUSPARSE_CSR2CSC(cusparseCsr2cscEx2_bufferSize, size_t *bytes);
WL_CUSPARSE_CSR2CSC(cusparseCsr2cscEx2, void *buffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position);

/* ---- Functions of one type -------------------------------------------------------------------- */

#define CUSPARSE(name, ...) cusparseStatus_t name(cusparseHandle_t handle, __VA_ARGS__);
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

#ifdef __cplusplus
}
#endif
#endif
