/* runtime_kernels_errors.c - kernels for the tests of the tracer: what a kernel must not do. */
#include "runtime_kernels.h"

#include "runtime_host.h"

enum { ELEMENTS = 32 };

/* Arrays in this order: out, hole, in. */
__global__ void loadAt(int *out, const int *in, int n)
{
    int v = HERE(HERE_LOAD, in[(long)threadIdx.x + n]);
    out[threadIdx.x] = v;
}
KERNEL_LAUNCHER(loadAt, int *, const int *, int)

void run_loadAt(const struct runtime_args *args)
{
    static int host[ELEMENTS];
    int *out, *in, *freed, *from = NULL;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&freed, sizeof host);
    cudaMalloc(&in, sizeof host);
    cudaMemset(in, 0, args->choice == FROM_UNWRITTEN ? sizeof host - 1 : sizeof host);
    cudaFree(freed);
    switch ((enum load_from)args->choice) {
    case FROM_ARRAY:
    case FROM_UNWRITTEN:
        from = in;
        break;
    case FROM_NULL:
        break;
    case FROM_HOST:
        from = host;
        break;
    case FROM_FREED:
        from = freed;
        break;
    case FROM_FIRST:
        from = out;
        break;
    }
    launch_loadAt(host_grid(args), host_block(args), 0, out, from, args->n);
}

__global__ void loadDoubleAt(double *out, const double *in)
{
    out[threadIdx.x] = HERE(HERE_LOAD, in[threadIdx.x]);
}
KERNEL_LAUNCHER(loadDoubleAt, double *, const double *)

__global__ void loadFloat4At(float4 *out, const float4 *in)
{
    out[threadIdx.x] = HERE(HERE_LOAD, in[threadIdx.x]);
}
KERNEL_LAUNCHER(loadFloat4At, float4 *, const float4 *)

/* The address is that of float number n. */
#define HOST_LOAD_VECTOR(name, type)                                                               \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        type *out;                                                                                 \
        float *in;                                                                                 \
        cudaMalloc(&out, ELEMENTS * sizeof(type));                                                 \
        cudaMalloc(&in, ELEMENTS * sizeof(type));                                                  \
        cudaMemset(in, 0, ELEMENTS * sizeof(type) - sizeof(float));                                \
        launch_##name(host_grid(args), host_block(args), 0, out, (const type *)(in + args->n));    \
    }
HOST_LOAD_VECTOR(loadDoubleAt, double)
HOST_LOAD_VECTOR(loadFloat4At, float4)

__global__ void storeAt(int *out, int n)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    HERE(HERE_STORE, out[t + n] = 1);
}
KERNEL_LAUNCHER(storeAt, int *, int)

__global__ void atomicAt(int *out, int n)
{
    int t = threadIdx.x;
    HERE(HERE_OTHER, atomicAdd(&out[t + n], 1));
}
KERNEL_LAUNCHER(atomicAt, int *, int)

#define HOST_STORE(name)                                                                           \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        int *out;                                                                                  \
        cudaMalloc(&out, ELEMENTS * sizeof(int));                                                  \
        if (args->choice)                                                                          \
            cudaMemset(out, 0, ELEMENTS * sizeof(int));                                            \
        launch_##name(host_grid(args), host_block(args), 0, out, args->n);                         \
    }
HOST_STORE(storeAt)
HOST_STORE(atomicAt)

/* 40 elements: 96 bytes of the next 256 are no array's. */
__global__ void sharedAt(int *out, int n)
{
    __shared__ int tile[40];
    HERE(HERE_STORE, tile[threadIdx.x + n] = 1);
    out[threadIdx.x] = tile[n];
}
KERNEL_LAUNCHER(sharedAt, int *, int)
HOST_STORE(sharedAt)

__global__ void dynamicAt(int *out, int n)
{
    SHARED_DYNAMIC(int, buffer);
    HERE(HERE_STORE, buffer[threadIdx.x + n] = 1);
    out[threadIdx.x] = buffer[n];
}
KERNEL_LAUNCHER(dynamicAt, int *, int)

void run_dynamicAt(const struct runtime_args *args)
{
    int *out;
    cudaMalloc(&out, ELEMENTS * sizeof(int));
    launch_dynamicAt(host_grid(args), host_block(args), 100, out, args->n);
}

__constant__ int factors[ELEMENTS];

__global__ void constantStore(int *out, int n)
{
    HERE(HERE_STORE, factors[threadIdx.x] = n);
    out[threadIdx.x] = factors[n];
}
KERNEL_LAUNCHER(constantStore, int *, int)
HOST_STORE(constantStore)

/* ---- Barriers ---------------------------------------------------------------------------------
 */

__global__ void barrierInBranch(int *out, int n)
{
    int t = threadIdx.x;
    out[t] = n;
    if (t < 16) {
        HERE(HERE_BARRIER, __syncthreads());
        out[t] = t;
    }
}
KERNEL_LAUNCHER(barrierInBranch, int *, int)
HOST_STORE(barrierInBranch)

__global__ void barrierAfterReturn(int *out, int n)
{
    int t = threadIdx.x;
    if (t == 5)
        return;
    out[t] = n;
    HERE(HERE_BARRIER, __syncthreads());
    out[t] = t;
}
KERNEL_LAUNCHER(barrierAfterReturn, int *, int)
HOST_STORE(barrierAfterReturn)

__global__ void barrierOfOneWarp(int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 32)
        return;
    out[t] = n;
    HERE(HERE_BARRIER, __syncthreads());
    out[t] = t;
}
KERNEL_LAUNCHER(barrierOfOneWarp, int *, int)
HOST_STORE(barrierOfOneWarp)

__global__ void barrierTwo(int *out, int n)
{
    int t = threadIdx.x;
    if (t < 3) {
        HERE(HERE_BARRIER, __syncthreads());
        out[t] = n;
    } else {
        out[t] = n + 1;
        HERE(HERE_OTHER, __syncthreads());
        out[t] = n + 2;
    }
}
KERNEL_LAUNCHER(barrierTwo, int *, int)
HOST_STORE(barrierTwo)

/* Lanes go round the barrier as often as their number says. */
__global__ void barrierUneven(int *out, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n + t / 16; i++) {
        HERE(HERE_BARRIER, __syncthreads());
        out[t] = i;
    }
}
KERNEL_LAUNCHER(barrierUneven, int *, int)
HOST_STORE(barrierUneven)

/* ---- Launches ---------------------------------------------------------------------------------
 */

__global__ void failInBlock(int *out, int n)
{
    out[threadIdx.x] = 1;
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    if (block == n && threadIdx.x == 3)
        HERE(HERE_STORE, out[ELEMENTS] = 1);
    __syncthreads();
    out[threadIdx.x] = 2;
}
KERNEL_LAUNCHER(failInBlock, int *, int)

void run_failInBlock(const struct runtime_args *args)
{
    int *out, host[ELEMENTS];
    cudaMalloc(&out, sizeof host);
    launch_failInBlock(host_grid(args), host_block(args), 0, out, args->n);
    launch_failInBlock(host_grid(args), host_block(args), 0, out, -1);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

__global__ void volatileFailure(int *out, int n)
{
    volatile int *v = out;
    int t = threadIdx.x;
    v[t] = 1;
    for (int i = 0; i < t; i++)
        HERE(HERE_STORE, v[t + i] = n);
}
KERNEL_LAUNCHER(volatileFailure, int *, int)
HOST_STORE(volatileFailure)

void run_hugeAllocation(const struct runtime_args *args)
{
    int *huge;
    cudaMalloc(&huge, (size_t)1 << 60);
    (void)args;
}

void run_copyPastEnd(const struct runtime_args *args)
{
    int *array, host[ELEMENTS + 1] = {0};
    cudaMalloc(&array, ELEMENTS * sizeof(int));
    if (args->choice == cudaMemcpyHostToDevice)
        cudaMemcpy(array, host, sizeof host, cudaMemcpyHostToDevice);
    else
        cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
}

void run_setPastEnd(const struct runtime_args *args)
{
    int *array;
    cudaMalloc(&array, ELEMENTS * sizeof(int));
    cudaMemset(array, 0, args->n);
}

/* Exactly the launch that is asked for. */
void run_plainLaunch(const struct runtime_args *args)
{
    int *out;
    cudaMalloc(&out, ELEMENTS * sizeof(int));
    launch_storeAt(args->grid, args->block, args->n, out, 0);
}
