/* cuda_cub.h - what CUB's and Thrust's headers are told: which of their forms goes with code that runs on host and device
 * alike.
 */
#ifndef WARPLENS_CUDA_CUB_H
#define WARPLENS_CUDA_CUB_H
#pragma GCC system_header

/* Types of 8 bits are there in part. */
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVTX

/* CUB 1: what nv/target says to later ones (warplens/compat/nv/target). */
#define CUB_IS_DEVICE_CODE (::wl_in_kernel())
#define CUB_IS_HOST_CODE (!::wl_in_kernel())
#define CUB_INCLUDE_DEVICE_CODE 1
#define CUB_INCLUDE_HOST_CODE 1
#define CUB_RUNTIME_FUNCTION __host__
#define CUB_RUNTIME_ENABLED
#define __cudaDeviceSynchronizeDeprecationAvoidance cudaDeviceSynchronize

#endif
