/* cuda_device_runtime_api.h - the runtime API: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CUDA_DEVICE_RUNTIME_API_H
#define WARPLENS_COMPAT_CUDA_DEVICE_RUNTIME_API_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
