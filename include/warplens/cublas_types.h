/* cublas_types.h - cuBLAS's enumerations and handle, with cuBLAS's own values; plain C. */
#ifndef WARPLENS_CUBLAS_TYPES_H
#define WARPLENS_CUBLAS_TYPES_H

#define WL_CUBLAS_STATUSES(X)                                                                      \
    X(CUBLAS_STATUS_SUCCESS, 0, "success")                                                         \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")                         \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                             \
    X(CUBLAS_STATUS_INVALID_VALUE, 7,                                                              \
      "an unsupported value or parameter was passed to the function")                              \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8,                                                              \
      "the function requires a feature absent from the architecture of the device")                \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")                     \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU")              \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                            \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15,                                                             \
      "the parameter or the combination of parameters is not supported")                           \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16, "an error was detected when checking the current licensing")

typedef enum {
#define X(name, value, text) name = value,
    WL_CUBLAS_STATUSES(X)
#undef X
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;

typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C,
    CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER,
    CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH,
    CUBLAS_TENSOR_OP_MATH,
    CUBLAS_PEDANTIC_MATH,
    CUBLAS_TF32_TENSOR_OP_MATH,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC,
    CUBLAS_COMPUTE_64F,
    CUBLAS_COMPUTE_64F_PEDANTIC,
    CUBLAS_COMPUTE_32I,
    CUBLAS_COMPUTE_32I_PEDANTIC,
    CUBLAS_COMPUTE_32F_FAST_16F,
    CUBLAS_COMPUTE_32F_FAST_16BF,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

/* library_types.h */
typedef enum {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_C_16F = 6,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;
typedef cudaDataType_t cublasDataType_t;
typedef enum { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType_t;
typedef libraryPropertyType_t libraryPropertyType;

#endif
