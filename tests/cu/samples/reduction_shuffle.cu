// Sums an array with warp shuffles: warps, then the warps' sums, then blocks by an atomic.
#include <stdio.h>
#include <stdlib.h>

#include <helper_cuda.h>

__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

__inline__ __device__ float blockReduceSum(float val)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}

__global__ void deviceReduceKernel(const float4 *in, float *out, int n4)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += blockDim.x * gridDim.x) {
        float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    const int n = 8192;
    float *h = (float *)malloc(n * sizeof(float)), *d_in, *d_out, sum = 0, expected = 0;
    for (int i = 0; i < n; i++)
        expected += h[i] = (float)(i % 16);
    checkCudaErrors(cudaMalloc((void **)&d_in, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_out, sizeof(float)));
    checkCudaErrors(cudaMemcpy(d_in, h, n * sizeof(float), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemset(d_out, 0, sizeof(float)));
    deviceReduceKernel<<<4, 256>>>((const float4 *)d_in, d_out, n / 4);
    getLastCudaError("deviceReduceKernel");
    checkCudaErrors(cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    free(h);
    printf("%s\n", sum == expected ? "PASSED" : "FAILED");
    return sum == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
