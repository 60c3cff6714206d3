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
