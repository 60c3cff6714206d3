// check: sm_60 nothing
// check: sm_90 nothing
// __syncwarp orders the lanes of the warp; each warp keeps to its own 32 words.
#include <cstdio>
__global__ void reverseWarps(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t + 100;
    __syncwarp();
    int v = s[t ^ 31];
    out[t] = v;
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    reverseWarps<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
