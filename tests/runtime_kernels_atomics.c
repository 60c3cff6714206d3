/* runtime_kernels_atomics.c - kernels for the tests of the tracer: atomic functions. */
#include "runtime_kernels.h"

#include "runtime_host.h"

/* Lane t works on target t % n with a value that tells lanes apart. */
#define ATOMIC_KERNEL(op, type)                                                                    \
    __global__ void k_atomic##op##_##type(type *target, type *old, int n)                          \
    {                                                                                              \
        int t = threadIdx.x;                                                                       \
        old[t] = HERE(HERE_LOAD, atomic##op(&target[t % n], (type)RUNTIME_OPERAND(t)));            \
    }                                                                                              \
    KERNEL_LAUNCHER(k_atomic##op##_##type, type *, type *, int)                                    \
    ATOMIC_HOST(k_atomic##op##_##type, atomic##op##_##type, type)

#define ATOMIC_HOST(kernel, name, type)                                                            \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        struct atomic_result_##type *result = (struct atomic_result_##type *)args->result;         \
        const size_t bytes = sizeof result->target;                                                \
        type *target, *old;                                                                        \
        for (int i = 0; i < ATOMIC_LANES; i++)                                                     \
            result->target[i] = (type)RUNTIME_TARGET(i);                                           \
        cudaMalloc(&target, bytes);                                                                \
        cudaMalloc(&old, bytes);                                                                   \
        cudaMemcpy(target, result->target, bytes, cudaMemcpyHostToDevice);                         \
        launch_##kernel(make_dim3(1, 1, 1), make_dim3(ATOMIC_LANES, 1, 1), 0, target, old,         \
                        args->n);                                                                  \
        cudaMemcpy(result->target, target, bytes, cudaMemcpyDeviceToHost);                         \
        cudaMemcpy(result->old, old, bytes, cudaMemcpyDeviceToHost);                               \
    }
RUNTIME_ATOMICS(ATOMIC_KERNEL)

#define CAS_KERNEL(type)                                                                           \
    __global__ void k_atomicCAS_##type(type *target, type *old, int n)                             \
    {                                                                                              \
        int t = threadIdx.x;                                                                       \
        type compare = (type)RUNTIME_TARGET(t % n);                                                \
        old[t] = HERE(HERE_LOAD, atomicCAS(&target[t % n], compare, (type)RUNTIME_OPERAND(t)));    \
    }                                                                                              \
    KERNEL_LAUNCHER(k_atomicCAS_##type, type *, type *, int)                                       \
    ATOMIC_HOST(k_atomicCAS_##type, atomicCAS_##type, type)
CAS_KERNEL(int)
CAS_KERNEL(unsigned)
CAS_KERNEL(u64)

/* The way to an atomic maximum of floats: n targets, shared by the lanes. */
__global__ void casLoop(int *target, int n)
{
    int *mine = &target[threadIdx.x % n];
    int old = HERE(HERE_OTHER, *mine), assumed;
    do {
        assumed = old;
        old = HERE(HERE_LOAD, atomicCAS(mine, assumed, assumed + 1 + (int)threadIdx.x));
    } while (old != assumed);
}
KERNEL_LAUNCHER(casLoop, int *, int)

void run_casLoop(const struct runtime_args *args)
{
    int *target;
    cudaMalloc(&target, ATOMIC_LANES * sizeof(int));
    cudaMemset(target, 0, ATOMIC_LANES * sizeof(int));
    launch_casLoop(host_grid(args), host_block(args), 0, target, args->n);
    cudaMemcpy(args->result, target, ATOMIC_LANES * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void sharedHistogram(int *out)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
    HERE(HERE_LOAD, atomicAdd(&bins[t * t % 8], 1));
    __syncthreads();
    if (t < 8)
        out[blockIdx.x * 8 + t] = bins[t];
}
KERNEL_LAUNCHER(sharedHistogram, int *)
HOST_OUTPUT(sharedHistogram, int, 1)

__global__ void divergentAtomics(int *out)
{
    int t = threadIdx.x;
    out[t] = 0;
    for (int i = 0; i < t % 4; i++) {
        if (t % 2)
            HERE(HERE_LOAD, atomicAdd(&out[0], 1));
        else
            HERE(HERE_OTHER, atomicMax(&out[1], t));
    }
}
KERNEL_LAUNCHER(divergentAtomics, int *)
HOST_OUTPUT(divergentAtomics, int, 1)
