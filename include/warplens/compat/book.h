/* book.h - what the programs of "CUDA by Example" (Sanders and Kandrot) take from their common
 * header, by its names: error checks, random blocks, colours, threads.
 */
#ifndef WARPLENS_COMPAT_BOOK_H
#define WARPLENS_COMPAT_BOOK_H
#pragma GCC system_header

#include "warplens/cuda.h"

inline void HandleError(cudaError_t error, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
    exit(EXIT_FAILURE);
}
#define HANDLE_ERROR(call) (HandleError(call, __FILE__, __LINE__))
#define HANDLE_NULL(pointer)                                                                       \
    {                                                                                              \
        if ((pointer) == NULL) {                                                                   \
            printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__);                   \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    }

template <class T> void swap(T &a, T &b)
{
    T kept = a;
    a = b;
    b = kept;
}

inline void *big_random_block(int size)
{
    unsigned char *data = (unsigned char *)malloc((size_t)size);
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++)
        data[i] = (unsigned char)rand();
    return data;
}
inline int *big_random_block_int(int size)
{
    int *data = (int *)malloc((size_t)size * sizeof(int));
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++)
        data[i] = rand();
    return data;
}

/* ---- Colours: hue, lightness and saturation to red, green and blue ------------------------------- */

__device__ inline unsigned char value(float low, float high, int hue)
{
    hue = hue > 360 ? hue - 360 : hue < 0 ? hue + 360 : hue;
    if (hue < 60)
        return (unsigned char)(255 * (low + (high - low) * hue / 60));
    if (hue < 180)
        return (unsigned char)(255 * high);
    if (hue < 240)
        return (unsigned char)(255 * (low + (high - low) * (240 - hue) / 60));
    return (unsigned char)(255 * low);
}
__device__ inline uchar4 wl_color_of(float lightness)
{
    float saturation = 1;
    int hue = (180 + (int)(360.0f * lightness)) % 360;
    float high = lightness <= 0.5f ? lightness * (1 + saturation)
                                   : lightness + saturation - lightness * saturation;
    float low = 2 * lightness - high;
    return make_uchar4(value(low, high, hue + 120), value(low, high, hue),
                       value(low, high, hue - 120), 255);
}
static __global__ void float_to_color(unsigned char *out, const float *in)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    uchar4 color = wl_color_of(in[offset]);
    out[offset * 4 + 0] = color.x;
    out[offset * 4 + 1] = color.y;
    out[offset * 4 + 2] = color.z;
    out[offset * 4 + 3] = color.w;
}
static __global__ void float_to_color(uchar4 *out, const float *in)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    out[offset] = wl_color_of(in[offset]);
}

/* ---- Threads of the host: each runs to its end when it is started --------------------------------- */

typedef int CUTThread;
typedef void *(*CUT_THREADROUTINE)(void *);
#define CUT_THREADPROC void *
#define CUT_THREADEND return 0
inline CUTThread start_thread(CUT_THREADROUTINE routine, void *data)
{
    routine(data);
    return 0;
}
inline void end_thread(CUTThread)
{
}
inline void destroy_thread(CUTThread)
{
}
inline void wait_for_threads(const CUTThread *, int)
{
}

#endif
