// check: sm_60 nothing
// check: sm_90 nothing
// A barrier of the block instead of __syncwarp.
#include <cstdio>
__global__ void swapWarps(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t + 100;
    __syncthreads();
    int v = s[t ^ 32];
    out[t] = v;
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    swapWarps<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
