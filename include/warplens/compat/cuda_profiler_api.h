/* cuda_profiler_api.h - cudaProfilerStart and cudaProfilerStop: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CUDA_PROFILER_API_H
#define WARPLENS_COMPAT_CUDA_PROFILER_API_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
