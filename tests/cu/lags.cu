// lags.cu - for how many cycles shuffles hold their warp up beyond its pace (docs/model.md, 12.4): behind `//:` stand a kernel and that lag.
// tests/lags.py asks a trace for it.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 256 };
#define I threadIdx.x
#define ALL 0xffffffffu

// Each shuffle gives what the one before it has led to.
//: chain 90
__global__ void chain(const float *p, float *out)
{
    float v = p[I];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(ALL, v, step);
    out[I] = v;
}
// All give the same: they are under way together.
//: broadcasts 18
__global__ void broadcasts(const float *p, float *out)
{
    const float v = p[I];
    float best = v;
    for (int lane = 0; lane < 5; lane++)
        best = fmaxf(best, __shfl_sync(ALL, v, lane) * lane);
    out[I] = best;
}
// The chains of four iterations are under way together: 4 of 18 cycles each, 160, and the loop's jumps.
//: chainsTogether 212
__global__ void chainsTogether(const float *__restrict__ p, float *__restrict__ out, int n)
{
    for (int k = 0; k < n; k++) {
        float v = p[32 * k + I];
        for (int step = 16; step > 0; step /= 2)
            v += __shfl_xor_sync(ALL, v, step);
        out[32 * k + I] = v;
    }
}

int main()
{
    float host[N], *p, *out;
    for (int i = 0; i < N; i++)
        host[i] = (float)(i * 7 % 31);
    cudaMalloc(&p, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    chain<<<1, 32>>>(p, out);
    broadcasts<<<1, 32>>>(p, out);
    chainsTogether<<<1, 32>>>(p, out, 8);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("PASSED\n");
}
