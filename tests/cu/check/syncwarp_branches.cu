// check: sm_60 warp_mask @low
// check: sm_60 warp_mask @high
// check: sm_90 nothing
// Both branches wait for the whole warp. From sm_70 on lanes may meet at different __syncwarp
// calls with the same mask; before, all lanes of the mask have to run the same call in step.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x, v;
    s[t] = t + 1;
    if (t < 16) {
        __syncwarp(0xffffffffu);  // @low
        v = s[t ^ 1];
    } else {
        __syncwarp(0xffffffffu);  // @high
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
