/* bench_kernels.c - the kernels that `warplens bench` times; no part of the gallery. */
#include "bench_kernels.h"

#include "gallery.h"

__global__ void benchCopy(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
KERNEL_LAUNCHER(benchCopy, float *, const float *)

/* Volatile accesses: the lanes of a warp go in lockstep, a switch of stacks an access. */
__global__ void benchLockstep(int *out)
{
    __shared__ int data[256];
    volatile int *v = data;
    int t = threadIdx.x;
    v[t] = t;
    for (int i = 0; i < 64; i++)
        v[t] += i;
    out[blockIdx.x * blockDim.x + t] = v[t];
}
KERNEL_LAUNCHER(benchLockstep, int *)

enum { REDUCE_THREADS = 256, TILE = 16 };

/* A barrier every three accesses of a warp, and of half as many lanes each time. */
__global__ void benchReduce(int *out, const int *in)
{
    __shared__ int sums[REDUCE_THREADS];
    int t = threadIdx.x;
    sums[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = REDUCE_THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
KERNEL_LAUNCHER(benchReduce, int *, const int *)

/* c = a b of n x n elements through tiles: a barrier every 4 and every 32 accesses. */
__global__ void benchProduct(float *c, const float *a, const float *b, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        a_tile[y][x] = a[row * n + tile + x];
        b_tile[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
KERNEL_LAUNCHER(benchProduct, float *, const float *, const float *, int)

void bench_trace_copy(int launches)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    GALLERY_INPUT(float, in, BLOCKS *THREADS);
    GALLERY_OUTPUT(float, out, BLOCKS *THREADS);
    for (int i = 0; i < launches; i++)
        launch_benchCopy(make_dim3(BLOCKS, 1, 1), make_dim3(THREADS, 1, 1), 0, out, in);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

void bench_trace_lockstep(int launches)
{
    enum { BLOCKS = 64, THREADS = 256 };
    GALLERY_OUTPUT(int, out, BLOCKS *THREADS);
    for (int i = 0; i < launches; i++)
        launch_benchLockstep(make_dim3(BLOCKS, 1, 1), make_dim3(THREADS, 1, 1), 0, out);
    GALLERY_FREE(out);
}

void bench_trace_reduce(int launches)
{
    enum { BLOCKS = 128 };
    GALLERY_INPUT(int, in, BLOCKS *REDUCE_THREADS);
    GALLERY_OUTPUT(int, out, BLOCKS);
    for (int i = 0; i < launches; i++)
        launch_benchReduce(make_dim3(BLOCKS, 1, 1), make_dim3(REDUCE_THREADS, 1, 1), 0, out, in);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

void bench_trace_product(int launches)
{
    enum { N = 96 };
    GALLERY_INPUT(float, a, N *N);
    GALLERY_INPUT(float, b, N *N);
    GALLERY_OUTPUT(float, c, N *N);
    for (int i = 0; i < launches; i++)
        launch_benchProduct(make_dim3(N / TILE, N / TILE, 1), make_dim3(TILE, TILE, 1), 0, c, a, b,
                            N);
    GALLERY_FREE(c);
    GALLERY_FREE(b);
    GALLERY_FREE(a);
}
