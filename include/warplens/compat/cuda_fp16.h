/* cuda_fp16.h - half precision (warplens/cuda_small_float.h).
 */
#ifndef WARPLENS_COMPAT_CUDA_FP16_H
#define WARPLENS_COMPAT_CUDA_FP16_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"

#include "warplens/cuda_narrow.h"

#define WL_T __half
#define WL_T2 __half2
#define WL_RAW __half_raw
#define WL_N half
#define WL_N2 half2
#define WL_BITS 5, 10
#include "warplens/cuda_small_float.h"
typedef __half half, nv_half;
typedef __half2 half2, nv_half2;

#endif
