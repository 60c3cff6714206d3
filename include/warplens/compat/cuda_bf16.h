/* cuda_bf16.h - bfloat16 (warplens/cuda_small_float.h).
 */
#ifndef WARPLENS_COMPAT_CUDA_BF16_H
#define WARPLENS_COMPAT_CUDA_BF16_H
#pragma GCC system_header

#include "warplens/cuda.h"

#include "warplens/cuda_narrow.h"

#define WL_T __nv_bfloat16
#define WL_T2 __nv_bfloat162
#define WL_RAW __nv_bfloat16_raw
#define WL_N bfloat16
#define WL_N2 bfloat162
#define WL_BITS 8, 7
#include "warplens/cuda_small_float.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
