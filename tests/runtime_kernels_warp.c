/* runtime_kernels_warp.c - kernels for the tests of the tracer: lockstep, intrinsics and barriers.
 */
#include "runtime_kernels.h"

#include "runtime_host.h"

/* ---- Volatile: the lanes of a warp go in lockstep ---------------------------------------------
 */

__global__ void lastWarp(int *out)
{
    __shared__ int data[64];
    volatile int *v = data;
    int t = threadIdx.x;
    data[t] = 1 << t % 8;
    __syncthreads();
    if (t < 32) {
        HERE(HERE_LOAD, v[t] += v[t + 32]);
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0)
        out[0] = data[0];
}
KERNEL_LAUNCHER(lastWarp, int *)
HOST_OUTPUT(lastWarp, int, 1)

/* Every lane reads what its neighbour has just written. */
__global__ void volatileNeighbour(int *out)
{
    __shared__ volatile int v[32];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        HERE(HERE_STORE, v[t] = 100 * i + t);
        sum += HERE(HERE_LOAD, v[(t + 1) % 32]);
    }
    out[t] = sum;
}
KERNEL_LAUNCHER(volatileNeighbour, int *)
HOST_OUTPUT(volatileNeighbour, int, 1)

/* Lanes leave the loop one by one; global memory this time. */
__global__ void volatileLoop(int *out)
{
    volatile int *v = out;
    int t = threadIdx.x;
    v[t] = 0;
    for (int i = 0; i < t; i++) {
        if (i % 2) {
            HERE(HERE_LOAD, v[t] += 1);
            DISTINCT();
        } else {
            HERE(HERE_OTHER, v[t] += 10);
            DISTINCT();
        }
    }
    HERE(HERE_STORE, v[t] += 1000);
}
KERNEL_LAUNCHER(volatileLoop, int *)
HOST_OUTPUT(volatileLoop, int, 1)

/* ---- Barriers ---------------------------------------------------------------------------------
 */

/* Hands values round the whole block. */
__global__ void barrierLoop(int *out)
{
    __shared__ int data[96];
    int t = threadIdx.x, value = t;
    for (int i = 0; i < 3; i++) {
        HERE(HERE_STORE, data[t] = value);
        __syncthreads();
        value = HERE(HERE_LOAD, data[(t + 1) % blockDim.x]);
        __syncthreads();
    }
    HERE(HERE_OTHER, out[blockIdx.x * blockDim.x + t] = value);
}
KERNEL_LAUNCHER(barrierLoop, int *)
HOST_OUTPUT(barrierLoop, int, 1)

__global__ void barrierUniform(int *out)
{
    __shared__ int data[96];
    int t = threadIdx.x;
    data[t] = t;
    if (blockIdx.x % 2 == 1)
        __syncthreads();
    else if (blockDim.x > 32)
        __syncthreads();
    out[blockIdx.x * blockDim.x + t] = data[blockDim.x - 1 - t];
}
KERNEL_LAUNCHER(barrierUniform, int *)
HOST_OUTPUT(barrierUniform, int, 1)

__device__ __noinline__ static int exchange(int *data, int value)
{
    int t = threadIdx.x;
    data[t] = value;
    __syncthreads();
    return data[blockDim.x - 1 - t];
}

/* Each warp calls from a place of its own: the barrier is the same. */
__global__ void barrierInFunction(int *out)
{
    __shared__ int data[96];
    int t = threadIdx.x, value;
    if (t < 32)
        value = exchange(data, t);
    else
        value = exchange(data, 1000 + t);
    out[blockIdx.x * blockDim.x + t] = value;
}
KERNEL_LAUNCHER(barrierInFunction, int *)
HOST_OUTPUT(barrierInFunction, int, 1)

/* ---- Shuffles ---------------------------------------------------------------------------------
 */

#define FULL 0xffffffffU

#define SHUFFLE_KERNEL(name, type)                                                                 \
    __global__ void name(type *out, const type *in, int mode, int by, int width)                   \
    {                                                                                              \
        int t = threadIdx.x;                                                                       \
        type value = in[t];                                                                        \
        if (mode == WL_SHFL_IDX)                                                                   \
            value = __shfl_sync(FULL, value, by, width);                                           \
        else if (mode == WL_SHFL_UP)                                                               \
            value = __shfl_up_sync(FULL, value, by, width);                                        \
        else if (mode == WL_SHFL_DOWN)                                                             \
            value = __shfl_down_sync(FULL, value, by, width);                                      \
        else                                                                                       \
            value = __shfl_xor_sync(FULL, value, by, width);                                       \
        out[t] = value;                                                                            \
    }                                                                                              \
    KERNEL_LAUNCHER(name, type *, const type *, int, int, int)                                     \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        type *out, *in, host[32];                                                                  \
        for (int i = 0; i < 32; i++)                                                               \
            host[i] = (type)RUNTIME_SHUFFLED(i);                                                   \
        cudaMalloc(&out, sizeof host);                                                             \
        cudaMalloc(&in, sizeof host);                                                              \
        cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);                                 \
        launch_##name(host_grid(args), host_block(args), 0, out, in, args->choice, args->n % 1000, \
                      args->n / 1000 ? args->n / 1000 : 32);                                       \
        cudaMemcpy(args->result, out, sizeof host, cudaMemcpyDeviceToHost);                        \
    }
SHUFFLE_KERNEL(shuffleInt, int)
SHUFFLE_KERNEL(shuffleUnsigned, unsigned)
SHUFFLE_KERNEL(shuffleFloat, float)
SHUFFLE_KERNEL(shuffleDouble, double)
SHUFFLE_KERNEL(shuffleLong, u64)

/* Both sides of a branch shuffle among themselves; 24 lanes on the one, 8 on the other. */
__global__ void shuffleDivergent(int *out)
{
    int t = threadIdx.x, value = 100 + t, other;
    if (t % 4 != 3)
        other = __shfl_xor_sync(0x77777777U, value, 2);
    else
        other = __shfl_down_sync(0x88888888U, value, 4);
    out[2 * t] = other;
    out[2 * t + 1] = __shfl_sync(FULL, other, 31);
}
KERNEL_LAUNCHER(shuffleDivergent, int *)
HOST_OUTPUT(shuffleDivergent, int, 2)

/* The lanes that are left shuffle among themselves, fewer each time round. */
__global__ void shuffleInLoop(int *out)
{
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i <= t; i++)
        sum += __shfl_sync(FULL << i, t, i);
    out[t] = sum;
}
KERNEL_LAUNCHER(shuffleInLoop, int *)
HOST_OUTPUT(shuffleInLoop, int, 1)

__global__ void shuffleSum(float *out)
{
    float sum = threadIdx.x + 0.5f;
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(FULL, sum, by);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = sum;
}
KERNEL_LAUNCHER(shuffleSum, float *)
HOST_OUTPUT(shuffleSum, float, 1)

__global__ void votes(unsigned *out)
{
    unsigned t = threadIdx.x, *mine = out + t * VOTE_WORDS;
    mine[0] = __ballot_sync(FULL, t % 3 == 0);
    mine[1] = __any_sync(FULL, t == 7);
    mine[2] = __all_sync(FULL, t < 31);
    if (t < 12) {
        mine[3] = __ballot_sync(0xfffU, t % 3);
        mine[4] = __any_sync(0xfffU, t == 12);
        mine[5] = __all_sync(0xfffU, 3);
    } else {
        mine[3] = __ballot_sync(~0xfffU, t % 2);
        mine[4] = __any_sync(~0xfffU, t == 12);
        mine[5] = __all_sync(~0xfffU, t - 12);
    }
}
KERNEL_LAUNCHER(votes, unsigned *)
HOST_OUTPUT(votes, unsigned, VOTE_WORDS)

__global__ void activeMasks(unsigned *out)
{
    unsigned t = threadIdx.x, mask;
    out[t] = __activemask();
    if (t % 5 == 0)
        mask = __activemask();
    else
        mask = ~__activemask();
    out[blockDim.x + t] = mask;
    for (unsigned i = 0; i < t; i++)
        mask = __activemask();
    out[2 * blockDim.x + t] = mask;
}
KERNEL_LAUNCHER(activeMasks, unsigned *)
HOST_OUTPUT(activeMasks, unsigned, 3)

/* Plain accesses between __syncwarp: no lane runs past it. */
__global__ void syncWarp(int *out)
{
    __shared__ int data[32];
    int t = threadIdx.x;
    data[t] = t;
    __syncwarp();
    for (int by = 16; by > 0; by /= 2) {
        if (t < by)
            data[t] += data[t + by];
        __syncwarp();
    }
    if (t < 8) {
        data[8 + t] = 10 * t;
        __syncwarp(0xff);
        out[t] = data[8 + 7 - t];
    } else {
        out[t] = data[0];
    }
}
KERNEL_LAUNCHER(syncWarp, int *)
HOST_OUTPUT(syncWarp, int, 1)
