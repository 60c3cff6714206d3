// check: sm_60 nothing
// check: sm_90 shared_read_write @put @get
// The halves of the warp are each ordered within themselves, with right masks, but lane t reads
// what lane t ^ 16 of the other half stored.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t + 1;  // @put
    if (t < 16)
        __syncwarp(0x0000ffffu);
    else
        __syncwarp(0xffff0000u);
    int v = s[t ^ 16];  // @get
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
