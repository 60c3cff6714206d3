/* cublas.h - cuBLAS as it was before CUDA 4: without a handle, with letters for operations, and results as values.
 * Overloads of the functions of cublas_v2.h. */
#ifndef WARPLENS_COMPAT_CUBLAS_H
#define WARPLENS_COMPAT_CUBLAS_H
#pragma GCC system_header
#define CUBLAS_H_ /* by which programs see that it is there */

#include "cublas_v2.h"

inline cublasHandle_t wl_cublas_handle()
{
    static cublasHandle_t handle;
    if (handle == nullptr)
        cublasCreate(&handle);
    return handle;
}
inline cublasStatus_t &wl_cublas_status()
{
    static cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    return status;
}
inline cublasOperation_t wl_cublas_operation(char letter)
{
    return letter == 'n' || letter == 'N'   ? CUBLAS_OP_N
           : letter == 't' || letter == 'T' ? CUBLAS_OP_T
                                            : CUBLAS_OP_C;
}

inline cublasStatus_t cublasInit()
{
    return wl_cublas_handle() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasShutdown()
{
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetError()
{
    const cublasStatus_t status = wl_cublas_status();
    wl_cublas_status() = CUBLAS_STATUS_SUCCESS;
    return status;
}
template <class P>
inline cublasStatus_t wl_cublas_alloc(const char *name, int n, int size, P **pointer)
{
    return wl_cuda_malloc((void **)pointer, (size_t)n * (size_t)size, name) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_ALLOC_FAILED;
}
#define cublasAlloc(n, size, pointer) wl_cublas_alloc(#pointer, n, size, pointer)
inline cublasStatus_t cublasFree(void *pointer)
{
    return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* L: the letter of the functions, i: the one in the names of indices; T: the type. */
#define WL_CUBLAS_LEGACY(L, i, T)                                                                  \
    inline void cublas##L##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)              \
    {                                                                                              \
        wl_cublas_status() = cublas##L##axpy(wl_cublas_handle(), n, &alpha, x, incx, y, incy);     \
    }                                                                                              \
    inline void cublas##L##copy(int n, const T *x, int incx, T *y, int incy)                       \
    {                                                                                              \
        wl_cublas_status() = cublas##L##copy(wl_cublas_handle(), n, x, incx, y, incy);             \
    }                                                                                              \
    inline void cublas##L##swap(int n, T *x, int incx, T *y, int incy)                             \
    {                                                                                              \
        wl_cublas_status() = cublas##L##swap(wl_cublas_handle(), n, x, incx, y, incy);             \
    }                                                                                              \
    inline void cublas##L##scal(int n, T alpha, T *x, int incx)                                    \
    {                                                                                              \
        wl_cublas_status() = cublas##L##scal(wl_cublas_handle(), n, &alpha, x, incx);              \
    }                                                                                              \
    inline T cublas##L##dot(int n, const T *x, int incx, const T *y, int incy)                     \
    {                                                                                              \
        T result = 0;                                                                              \
        wl_cublas_status() = cublas##L##dot(wl_cublas_handle(), n, x, incx, y, incy, &result);     \
        return result;                                                                             \
    }                                                                                              \
    inline T cublas##L##nrm2(int n, const T *x, int incx)                                          \
    {                                                                                              \
        T result = 0;                                                                              \
        wl_cublas_status() = cublas##L##nrm2(wl_cublas_handle(), n, x, incx, &result);             \
        return result;                                                                             \
    }                                                                                              \
    inline T cublas##L##asum(int n, const T *x, int incx)                                          \
    {                                                                                              \
        T result = 0;                                                                              \
        wl_cublas_status() = cublas##L##asum(wl_cublas_handle(), n, x, incx, &result);             \
        return result;                                                                             \
    }                                                                                              \
    inline int cublasI##i##amax(int n, const T *x, int incx)                                       \
    {                                                                                              \
        int result = 0;                                                                            \
        wl_cublas_status() = cublasI##i##amax(wl_cublas_handle(), n, x, incx, &result);            \
        return result;                                                                             \
    }                                                                                              \
    inline void cublas##L##gemv(char trans, int m, int n, T alpha, const T *a, int lda,            \
                                const T *x, int incx, T beta, T *y, int incy)                      \
    {                                                                                              \
        wl_cublas_status() = cublas##L##gemv(wl_cublas_handle(), wl_cublas_operation(trans), m, n, \
                                             &alpha, a, lda, x, incx, &beta, y, incy);             \
    }                                                                                              \
    inline void cublas##L##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy,  \
                               T *a, int lda)                                                      \
    {                                                                                              \
        wl_cublas_status() =                                                                       \
            cublas##L##ger(wl_cublas_handle(), m, n, &alpha, x, incx, y, incy, a, lda);            \
    }                                                                                              \
    inline void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha,            \
                                const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc)   \
    {                                                                                              \
        wl_cublas_status() = cublas##L##gemm(wl_cublas_handle(), wl_cublas_operation(transa),      \
                                             wl_cublas_operation(transb), m, n, k, &alpha, a, lda, \
                                             b, ldb, &beta, c, ldc);                               \
    }
WL_CUBLAS_LEGACY(S, s, float)
WL_CUBLAS_LEGACY(D, d, double)
#undef WL_CUBLAS_LEGACY

#endif
