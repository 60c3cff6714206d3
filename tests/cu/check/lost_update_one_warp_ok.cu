// check: sm_60 nothing
// check: sm_90 nothing
// atomicAdd lets every lane count.
#include <cstdio>
__global__ void count(int* out) {
    __shared__ volatile int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    atomicAdd((int*)&n, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *out = n;
}
int main() {
    int *out, h;
    cudaMalloc(&out, sizeof(int));
    count<<<1, 32>>>(out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return 0;
}
