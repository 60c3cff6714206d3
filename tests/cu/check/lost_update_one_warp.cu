// check: sm_60 lost_update @add @add
// check: sm_90 lost_update @add @add
// All lanes of one warp add to one shared word without an atomic: all load the old value and all
// store the new one, in step or not.
#include <cstdio>
__global__ void count(int* out) {
    __shared__ volatile int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    n = n + (int)threadIdx.x;  // @add
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
