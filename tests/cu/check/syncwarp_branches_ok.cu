// check: sm_60 nothing
// check: sm_90 nothing
// In each branch the mask names the lanes that are in it, which is right on every generation.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x, v;
    s[t] = t + 1;
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        v = s[t ^ 1];
    } else {
        __syncwarp(0xffff0000u);
        v = s[t ^ 2];
    }
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
