// check: sm_60 barrier_not_reached @bar
// check: sm_90 barrier_not_reached @bar
// The odd lanes of every warp skip the barrier. The threads that come to it are not all of the
// block.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 2 == 0) {
        s[t] = s[t] * 2;
        __syncthreads();  // @bar
    }
    out[t] = s[t];
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
