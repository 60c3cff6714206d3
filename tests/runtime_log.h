/* runtime_log.h - kernels that keep a log of where their lanes are.
 *
 * visit(log, key) stores to a place that tells the key and the lane, so that the recorded accesses
 * say which lanes were where together.
 */
#ifndef WARPLENS_TESTS_RUNTIME_LOG_H
#define WARPLENS_TESTS_RUNTIME_LOG_H

#include "runtime_host.h"

/* The log of this thread's warp. */
__device__ static inline int *warpLog(int *log)
{
    return log + threadIdx.x / 32 * (DIVERGENCE_KEYS * 32) + threadIdx.x % 32;
}

#define visit(log, key)                                                                            \
    do {                                                                                           \
        (log)[(key)*32] = 1;                                                                       \
        DISTINCT();                                                                                \
    } while (0)

#define LOG_KERNEL(name)                                                                           \
    KERNEL_LAUNCHER(name, int *, int)                                                              \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        const size_t warps = (host_threads(args) + 31) / 32;                                       \
        int *log;                                                                                  \
        cudaMalloc(&log, warps *DIVERGENCE_KEYS * 32 * sizeof(int));                               \
        launch_##name(host_grid(args), host_block(args), 0, log, args->n);                         \
    }

#endif
