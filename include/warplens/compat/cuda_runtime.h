/* cuda_runtime.h - the runtime API: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CUDA_RUNTIME_H
#define WARPLENS_COMPAT_CUDA_RUNTIME_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
