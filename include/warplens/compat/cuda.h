/* cuda.h - types and the runtime API, which are there already (warplens/cuda_program.h); of the driver API tensor maps alone. */
#ifndef WARPLENS_COMPAT_CUDA_H
#define WARPLENS_COMPAT_CUDA_H
#pragma GCC system_header
#include "warplens/cuda.h"
#ifdef __cplusplus
#include "warplens/cuda_tensor_map.h"
#endif
#endif
