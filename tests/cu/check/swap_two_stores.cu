// check: sm_60 nothing
// check: sm_90 shared_write_write @one @two
// Two instructions of one warp store different values to the same words (lane t to t, then lane t
// to t ^ 1); ordered in step before sm_70, not from sm_70 on.
#include <cstdio>
__global__ void twice(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = t;  // @one
    s[t ^ 1] = 100 + t;  // @two
    __syncthreads();
    out[t] = s[t];
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    twice<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
