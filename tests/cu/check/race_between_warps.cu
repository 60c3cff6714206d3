// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// The lanes of one warp never share a word; __syncwarp is there, but the word comes from the
// other warp and needs a barrier of the block.
#include <cstdio>
__global__ void swapWarps(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t + 100;  // @put
    __syncwarp();
    int v = s[t ^ 32];  // @get
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
