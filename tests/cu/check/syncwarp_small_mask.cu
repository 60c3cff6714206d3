// check: sm_60 warp_mask @sync
// check: sm_90 warp_mask @sync
// All lanes run __syncwarp, but its mask names the lower half only. Only the lower half exchanges
// words, which the call does order.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp(0x0000ffffu);  // @sync
    int v = t < 16 ? s[t ^ 1] : s[t];
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
