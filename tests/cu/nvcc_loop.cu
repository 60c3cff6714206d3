// nvcc_loop.cu - a kernel without a loop, one with a loop that compilers unroll, and a template: for --nvcc.
// tests/data/nvcc_loop.cubin and nvcc_loop.ptxas are what nvcc 13.0 makes of it for sm_90.
#include <cstdio>

__global__ void copy(float *to, const float *from, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

__global__ void sum(float *to, const float *from, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float all = 0;
    for (int k = 0; k < n; k++)
        all += from[k * 32 + i];
    to[i] = all;
}

template <class T> static __global__ void fill(T *to, T value)
{
    to[threadIdx.x] = value;
}

int main()
{
    float *a, *b;
    double *c;
    cudaMalloc(&a, 32 * 64 * sizeof *a), cudaMalloc(&b, 32 * 64 * sizeof *b), cudaMalloc(&c, 32 * sizeof *c);
    cudaMemset(a, 0, 32 * 64 * sizeof *a);
    copy<<<1, 32>>>(b, a, 32);
    sum<<<1, 32>>>(b, a, 64);
    fill<<<1, 32>>>(b, 1.0f);
    fill<<<1, 32>>>(c, 1.0);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "PASSED" : "FAILED");
}
