/* cudaProfiler.h - cudaProfilerStart and cudaProfilerStop: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CUDAPROFILER_H
#define WARPLENS_COMPAT_CUDAPROFILER_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
