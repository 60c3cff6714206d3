/* cublas_v2.h - cuBLAS, computed by the host and not traced: src/libraries/cublas.h. What is not declared here
 * is refused by its name. */
#ifndef WARPLENS_COMPAT_CUBLAS_V2_H
#define WARPLENS_COMPAT_CUBLAS_V2_H
#pragma GCC system_header
#define CUBLAS_API_H_ /* by which programs see that it is there */

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warplens/cublas_types.h"
#include "warplens/cuda.h"
#include "warplens/cuda_library_calls.h"

#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VERSION 120000
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

#define WL_CUBLAS_COPIES(direction)                                                                \
    cublasStatus_t cublas##direction##Vector(int n, int element_bytes, const void *from,           \
                                             int from_step, void *to, int to_step);                \
    cublasStatus_t cublas##direction##VectorAsync(int n, int element_bytes, const void *from,      \
                                                  int from_step, void *to, int to_step,            \
                                                  cudaStream_t stream);                            \
    cublasStatus_t cublas##direction##Matrix(int rows, int columns, int element_bytes,             \
                                             const void *from, int from_ld, void *to, int to_ld);  \
    cublasStatus_t cublas##direction##MatrixAsync(int rows, int columns, int element_bytes,        \
                                                  const void *from, int from_ld, void *to,         \
                                                  int to_ld, cudaStream_t stream);
WL_CUBLAS_COPIES(Set)
WL_CUBLAS_COPIES(Get)
#undef WL_CUBLAS_COPIES
}

WL_LIBRARY(cublas, CUBLAS)

#define CUBLAS(name, names, ...)                                                                   \
    WL_LIBRARY_FUNCTION(cublasStatus_t, cublasHandle_t, name, names, __VA_ARGS__)
#define T float
#define R float
#define NAME(x) cublasS##x
#define NORM(x) cublasS##x
#define INDEX(x) cublasIs##x
#include "warplens/cublas_functions.def"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#define T double
#define R double
#define NAME(x) cublasD##x
#define NORM(x) cublasD##x
#define INDEX(x) cublasId##x
#include "warplens/cublas_functions.def"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#define T_IS_COMPLEX
#define T cuComplex
#define R float
#define NAME(x) cublasC##x
#define NORM(x) cublasSc##x
#define INDEX(x) cublasIc##x
#define REALSCAL cublasCsscal
#include "warplens/cublas_functions.def"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#undef REALSCAL
#define T cuDoubleComplex
#define R double
#define NAME(x) cublasZ##x
#define NORM(x) cublasDz##x
#define INDEX(x) cublasIz##x
#define REALSCAL cublasZdscal
#include "warplens/cublas_functions.def"
#undef T
#undef R
#undef NAME
#undef NORM
#undef INDEX
#undef REALSCAL
#undef T_IS_COMPLEX

/* Bytes of alpha and beta. */
inline size_t wl_cublas_scalar_bytes(cublasComputeType_t compute)
{
    return compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC   ? 2
           : compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC ? 8
                                                                                     : 4;
}

CUBLAS(cublasGemmEx,
       (transa, transb, m, n, k, wl::scalar(alpha, wl_cublas_scalar_bytes(compute)), a, a_type, lda,
        b, b_type, ldb, wl::scalar(beta, wl_cublas_scalar_bytes(compute)), c, c_type, ldc, compute,
        algorithm),
       cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
       const void *a, cudaDataType_t a_type, int lda, const void *b, cudaDataType_t b_type, int ldb,
       const void *beta, void *c, cudaDataType_t c_type, int ldc, cublasComputeType_t compute,
       cublasGemmAlgo_t algorithm)
CUBLAS(cublasGemmStridedBatchedEx,
       (transa, transb, m, n, k, wl::scalar(alpha, wl_cublas_scalar_bytes(compute)), a, a_type, lda,
        stride_a, b, b_type, ldb, stride_b, wl::scalar(beta, wl_cublas_scalar_bytes(compute)), c,
        c_type, ldc, stride_c, count, compute, algorithm),
       cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
       const void *a, cudaDataType_t a_type, int lda, long long stride_a, const void *b,
       cudaDataType_t b_type, int ldb, long long stride_b, const void *beta, void *c,
       cudaDataType_t c_type, int ldc, long long stride_c, int count, cublasComputeType_t compute,
       cublasGemmAlgo_t algorithm)
CUBLAS(wl_cublas_half,
       (function, transa, transb, m, n, k, wl::scalar(alpha, 2), a, lda, stride_a, b, ldb, stride_b,
        wl::scalar(beta, 2), c, ldc, stride_c, count),
       const char *function, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
       int k, const void *alpha, const void *a, int lda, long long stride_a, const void *b, int ldb,
       long long stride_b, const void *beta, void *c, int ldc, long long stride_c, int count)
#undef CUBLAS

inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half *alpha, const __half *a, int lda, const __half *b,
                                  int ldb, const __half *beta, __half *c, int ldc)
{
    return wl_cublas_half(handle, "cublasHgemm", transa, transb, m, n, k, alpha, a, lda, 0, b, ldb,
                          0, beta, c, ldc, 0, 1);
}
inline cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                                cublasOperation_t transb, int m, int n, int k,
                                                const __half *alpha, const __half *a, int lda,
                                                long long stride_a, const __half *b, int ldb,
                                                long long stride_b, const __half *beta, __half *c,
                                                int ldc, long long stride_c, int count)
{
    return wl_cublas_half(handle, "cublasHgemmStridedBatched", transa, transb, m, n, k, alpha, a,
                          lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, count);
}

/* As before CUDA 11: the type of the computation is one of an element. */
inline cublasComputeType_t wl_cublas_compute(cudaDataType_t type)
{
    return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                : CUBLAS_COMPUTE_32F;
}
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *a, cudaDataType_t a_type, int lda, const void *b,
                                   cudaDataType_t b_type, int ldb, const void *beta, void *c,
                                   cudaDataType_t c_type, int ldc, cudaDataType_t compute,
                                   cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb,
                        beta, c, c_type, ldc, wl_cublas_compute(compute), algorithm);
}
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int m, int n, int k,
                                    const float *alpha, const void *a, cudaDataType_t a_type,
                                    int lda, const void *b, cudaDataType_t b_type, int ldb,
                                    const float *beta, void *c, cudaDataType_t c_type, int ldc)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb,
                        beta, c, c_type, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2

#endif
