/* Headers that warplens stands in for. */
#include <helper_cuda.h>
#include "common.h"
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int *d;
    checkCudaErrors(cudaMalloc(&d, 128));
    k<<<1, 32>>>(d);
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", seconds() > 0);
}
