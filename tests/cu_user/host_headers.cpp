// CUDA's headers in a C++ file of the host.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <helper_math.h>
#include <omp.h>
#include <cstdio>
#include "scale.h"
int main()
{
    __half h(1.5f);
    float3 sum = make_float3(1, 2, 3) + make_float3(1, 1, 1);
    cudaDeviceProp p;
    cudaStream_t stream;
    float *d;
    checkCudaErrors(cudaGetDeviceProperties(&p, 0));
    checkCudaErrors(cudaStreamCreate(&stream));
    checkCudaErrors(cudaMalloc(&d, 256));
    checkCudaErrors(cudaMemset(d, 0, 256));
    scale_on_gpu(d, 64, 2);
    printf("%g %g\n", (float)h, sum.x);
}
