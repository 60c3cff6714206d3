/* runtime_host.h - host code that the kernels for the tests of the tracer share. */
#ifndef WARPLENS_TESTS_RUNTIME_HOST_H
#define WARPLENS_TESTS_RUNTIME_HOST_H

#include "runtime_kernels.h"

/* A compiler may merge what two sides of a branch have in common; this tells them apart. */
#define DISTINCT() __asm__ volatile("# line %c0" : : "i"(__LINE__) : "memory")

static inline dim3 host_grid(const struct runtime_args *args)
{
    return args->grid.x ? args->grid : make_dim3(1, 1, 1);
}

static inline dim3 host_block(const struct runtime_args *args)
{
    return args->block.x ? args->block : make_dim3(32, 1, 1);
}

static inline size_t host_threads(const struct runtime_args *args)
{
    dim3 grid = host_grid(args), block = host_block(args);
    return (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
}

/* The kernel has one argument, `each` elements of output a thread. */
#define HOST_OUTPUT(name, type, each)                                                              \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        const size_t bytes = host_threads(args) * (each) * sizeof(type);                           \
        type *out;                                                                                 \
        cudaMalloc(&out, bytes);                                                                   \
        launch_##name(host_grid(args), host_block(args), 0, out);                                  \
        if (args->result)                                                                          \
            cudaMemcpy(args->result, out, bytes, cudaMemcpyDeviceToHost);                          \
    }

/* The kernel's arguments are out, a and b, one int a thread each; b[i] = i. */
#define HOST_GATHER(name)                                                                          \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        int *out, *a, *b, host[1024];                                                              \
        const size_t bytes = host_threads(args) * sizeof(int);                                     \
        for (int i = 0; i < 1024; i++)                                                             \
            host[i] = i;                                                                           \
        cudaMalloc(&out, bytes);                                                                   \
        cudaMalloc(&a, bytes);                                                                     \
        cudaMalloc(&b, bytes);                                                                     \
        cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);                                        \
        cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);                                        \
        launch_##name(host_grid(args), host_block(args), 0, out, a, b);                            \
        if (args->result)                                                                          \
            cudaMemcpy(args->result, out, bytes, cudaMemcpyDeviceToHost);                          \
    }

#endif
