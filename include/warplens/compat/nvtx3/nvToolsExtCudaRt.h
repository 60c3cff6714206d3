/* nvtx3/nvToolsExtCudaRt.h - names of the runtime's objects in a profiler's timeline, which have nothing to do here. */
#ifndef WARPLENS_COMPAT_NVTX3_NVTOOLSEXTCUDART_H
#define WARPLENS_COMPAT_NVTX3_NVTOOLSEXTCUDART_H
#pragma GCC system_header
#include "../nvToolsExtCudaRt.h"
#endif
