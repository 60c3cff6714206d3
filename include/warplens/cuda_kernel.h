/* cuda_kernel.h - what kernels call. Not for a C++ file that only includes cuda_runtime.h: it may have functions of its
 * own of these names.
 */
#ifndef WARPLENS_CUDA_KERNEL_H
#define WARPLENS_CUDA_KERNEL_H
#pragma GCC system_header

#include "warplens/cuda_atomics.h"
#include "warplens/cuda_intrinsics.h"
#include "warplens/cuda_math.h"
#include "warplens/cuda_nv_atomics.h"
#include "warplens/cuda_ptx.h"
#include "warplens/cuda_rounding.h"
#include "warplens/cuda_simd.h"
#include "warplens/cuda_warp.h"

#endif
