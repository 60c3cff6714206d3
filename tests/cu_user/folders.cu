/* Headers of the program's own under the names of ours. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <helper_cuda.h>
#include "common.h"
__global__ void k(int *p) { p[threadIdx.x] = VALUE; }
int main()
{
    int *d, h;
    checkCudaErrors(cudaMalloc(&d, 128));
    k<<<1, 32>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h, FROM);
}
