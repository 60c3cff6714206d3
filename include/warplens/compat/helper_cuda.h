/* helper_cuda.h - error checks and the choice of a device of NVIDIA's samples, by the names of their
 * helper header.
 */
#ifndef WARPLENS_COMPAT_HELPER_CUDA_H
#define WARPLENS_COMPAT_HELPER_CUDA_H
#pragma GCC system_header

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}

template <class T> void check(T result, const char *call, const char *file, int line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result,
            cudaGetErrorName((cudaError_t)result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline void __getLastCudaError(const char *message, const char *file, int line, bool leave = true)
{
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s(%d) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
            (int)error, cudaGetErrorString(error));
    if (leave)
        exit(EXIT_FAILURE);
}
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__, false)

inline int ftoi(float value)
{
    return value >= 0 ? (int)(value + 0.5) : (int)(value - 0.5);
}

/* By compute capability; what is not in the table is as the last one that is. */
struct wl_sm_line {
    int sm, cores;
    const char *name;
};
inline const wl_sm_line &wl_sm_find(int major, int minor)
{
    static const wl_sm_line lines[] = {
        {10, 8, "Tesla"},     {13, 8, "Tesla"},     {20, 32, "Fermi"},   {21, 48, "Fermi"},
        {30, 192, "Kepler"},  {35, 192, "Kepler"},  {37, 192, "Kepler"}, {50, 128, "Maxwell"},
        {52, 128, "Maxwell"}, {53, 128, "Maxwell"}, {60, 64, "Pascal"},  {61, 128, "Pascal"},
        {62, 128, "Pascal"},  {70, 64, "Volta"},    {72, 64, "Xavier"},  {75, 64, "Turing"},
        {80, 64, "Ampere"},   {86, 128, "Ampere"},  {87, 128, "Ampere"}, {89, 128, "Ada"},
        {90, 128, "Hopper"},
    };
    const wl_sm_line *best = lines;
    for (const wl_sm_line &line : lines)
        best = line.sm <= major * 10 + minor ? &line : best;
    return *best;
}
inline int _ConvertSMVer2Cores(int major, int minor)
{
    return wl_sm_find(major, minor).cores;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    return wl_sm_find(major, minor).name;
}

inline int gpuDeviceInit(int device)
{
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId()
{
    return 0;
}
inline int findIntegratedGPU()
{
    return -1;
}

inline int findCudaDevice(int argc, const char **argv)
{
    int device = checkCmdLineFlag(argc, argv, "device")
                     ? gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"))
                     : gpuDeviceInit(gpuGetMaxGflopsDeviceId());
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
           properties.major, properties.minor);
    return device;
}

inline bool checkCudaCapabilities(int major, int minor)
{
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    return properties.major > major || (properties.major == major && properties.minor >= minor);
}

#endif
