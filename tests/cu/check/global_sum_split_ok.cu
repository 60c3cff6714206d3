// check: sm_60 nothing
// check: sm_90 nothing
// The block's sum is added with one atomicAdd.
#include <cstdio>
__global__ void sum(const float* in, float* total) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(total, s);
    }
}
int main() {
    float h[256], *in, *total;
    for (int i = 0; i < 256; i++) h[i] = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&total, sizeof(float));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(float));
    sum<<<4, 64>>>(in, total);
    cudaMemcpy(h, total, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
