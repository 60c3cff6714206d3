/* Each GPU has memory of its own. */
#include <stdio.h>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    size_t free_now, total, later;
    cudaDeviceProp p;
    int *d, *more;
    cudaMemGetInfo(&free_now, &total);
    cudaGetDeviceProperties(&p, 0);
    cudaMalloc(&d, 1 << 20);
    cudaMemGetInfo(&later, &total);
    k<<<1, 32>>>(d);
    printf("%d %d %d %d\n", (int)(total >> 20), p.memoryBusWidth, total == p.totalGlobalMem && free_now == total,
           free_now - later >= 1 << 20);
    return cudaMalloc(&more, total) == cudaErrorMemoryAllocation && cudaGetLastError() ? 0 : 1;
}
