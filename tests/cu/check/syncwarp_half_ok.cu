// check: sm_60 nothing
// check: sm_90 nothing
// One __syncwarp for the whole warp.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t + 1;
    __syncwarp();
    int v = s[t ^ 16];
    out[t] = v;
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
