/* host_names.cu - do host code's own names mean what they say there: variables called as CUDA's indices are,
 * clock() of the C library, macros that tell programs which headers they have?
 */
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <stdio.h>
#include <time.h>

#include "check.h"

#if !defined(__CUDACC__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) ||        \
    !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__) || CUDART_VERSION < 12010 ||  \
    CUDA_VERSION != CUDART_VERSION || __CUDACC_VER_MAJOR__ * 1000 > CUDART_VERSION
#error "macros of nvcc and its headers"
#endif

struct tile_of {
    int blockDim, gridDim;
};

__global__ void ranks(unsigned *out)
{
    out[blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x] =
        gridDim.x * 1000 + threadIdx.y * 100 + threadIdx.x;
}

/* Whole indices: as values, through functions, with a function of the kernel's own parameter names. */
__device__ unsigned sum(uint3 index, dim3 size)
{
    return index.x + index.y * size.x;
}
__global__ void whole(unsigned *out)
{
    const dim3 size = blockDim, grid(gridDim);
    const uint3 index = threadIdx;
    auto block = blockIdx;
    out[sum(index, size)] = sum(threadIdx, blockDim) + block.x + grid.y;
}

/* Both sides of the clock: it runs in a kernel, too. */
__global__ void ticks(long long *out, const int *in)
{
    const clock_t start = clock();
    int total = 0;
    for (int i = 0; i < 8; i++)
        total += in[i];
    out[0] = (long long)(clock() - start) + (total > 1000);
    out[1] = clock64() >= start;
}

static int host_blocks(dim3 gridDim)
{
    return (int)(gridDim.x * gridDim.y);
}

int main()
{
    nvtxNameCudaDevice(0, "the first");
    const clock_t before = clock();
    unsigned *d, h[128];
    long long *t, ht[2];
    int *in;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&t, sizeof ht);
    cudaMalloc(&in, 32);
    cudaMemset(in, 0, 32);

    dim3 blockDim(16, 2);
    dim3 gridDim = dim3(4, 1);
    int threadIdx = 5, blockIdx = threadIdx + 1;
    ranks<<<gridDim, blockDim>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    CHECK_THAT(h[0] == 4000 && h[127] == 4115 && h[33] == 4001);
    CHECK_THAT(blockIdx == 6 && host_blocks(gridDim) == 4);
    tile_of tile = {3, 4};
    CHECK_THAT(tile.blockDim + tile.gridDim == 7);

    whole<<<dim3(1, 3), blockDim>>>(d);
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; i++)
        CHECK_THAT(h[i] == i + 3);

    ticks<<<1, 1>>>(t, in);
    cudaMemcpy(ht, t, sizeof ht, cudaMemcpyDeviceToHost);
    CHECK_THAT(ht[0] > 0 && ht[1] == 1);
    const clock_t after = clock();
    CHECK_THAT(before >= 0 && after >= before && after - before < 600 * CLOCKS_PER_SEC);
    CHECK_THAT(cudaDeviceSynchronize() == cudaSuccess);
    puts("PASSED");
    return 0;
}
