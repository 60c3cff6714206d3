// errors.cu - what a program gets wrong is answered as CUDA does, and the program goes on.
#include <cstring>

#include "check.h"

__global__ void touch(int *p)
{
    p[threadIdx.x] = 1;
}
__global__ void dynamic(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x];
}

int main()
{
    int *p, host[32];
    CHECK_CALL(cudaMalloc(&p, sizeof host));
    CHECK_CALL(cudaGetLastError());

    touch<<<1, 1025>>>(p);
    CHECK_THAT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    CHECK_THAT(cudaGetLastError() == cudaSuccess);
    touch<<<0, 32>>>(p);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    touch<<<1, dim3(1, 1, 65)>>>(p);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    dynamic<<<1, 32, 48 * 1024 + 4>>>(p);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK_CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    dynamic<<<1, 32, 48 * 1024 + 4>>>(p);
    CHECK_CALL(cudaGetLastError());

    void *huge = p;
    CHECK_THAT(cudaMalloc(&huge, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    CHECK_THAT(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK_THAT(cudaFree((void *)&host) == cudaErrorInvalidValue);
    CHECK_THAT(cudaMemcpy(p, host, 2 * sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK_THAT(cudaMemcpy(host, p, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK_THAT(cudaSetDevice(5) == cudaErrorInvalidDevice);
    CHECK_THAT(cudaGetLastError() == cudaErrorInvalidDevice);

    CHECK_THAT(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK_THAT(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    CHECK_THAT(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    CHECK_THAT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);

    touch<<<1, 32>>>(p);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[31] == 1);
    printf("PASSED\n");
}
