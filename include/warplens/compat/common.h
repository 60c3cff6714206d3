/* common.h - what the programs of "Professional CUDA C Programming" (Cheng, Grossman, McKercher) take
 * from their common header, by its names.
 */
#ifndef WARPLENS_COMPAT_COMMON_H
#define WARPLENS_COMPAT_COMMON_H
#pragma GCC system_header

#include <sys/time.h>

#include "warplens/cuda.h"

#define CHECK(call)                                                                                \
    {                                                                                              \
        const cudaError_t error = call;                                                            \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, error,     \
                    cudaGetErrorString(error));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    }

inline double seconds()
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

#endif
