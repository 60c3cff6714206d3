/* nvToolsExtCudaRt.h - names of the runtime's objects in a profiler's timeline, which have nothing to do here. */
#ifndef WARPLENS_COMPAT_NVTOOLSEXTCUDART_H
#define WARPLENS_COMPAT_NVTOOLSEXTCUDART_H
#pragma GCC system_header

#include "nvToolsExt.h"
#include "warplens/cuda.h"

inline void nvtxNameCudaDeviceA(int, const char *)
{
}
inline void nvtxNameCudaStreamA(cudaStream_t, const char *)
{
}
inline void nvtxNameCudaEventA(cudaEvent_t, const char *)
{
}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
