/* mma.h - nvcuda::wmma (warplens/cuda_wmma.h).
 */
#ifndef WARPLENS_COMPAT_MMA_H
#define WARPLENS_COMPAT_MMA_H
#pragma GCC system_header

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "warplens/cuda_wmma.h"

#endif
