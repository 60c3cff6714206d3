// check: sm_60 barrier_not_reached @bar
// check: sm_90 barrier_not_reached @bar
// In the last block the threads behind the end return before the barrier, so the block's barrier
// is not reached by all its threads.
#include <cstdio>
__global__ void kernel(const int* in, int* out, int n) {
    __shared__ volatile int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i >= n) return;
    s[t] = in[i];
    __syncthreads();  // @bar
    out[i] = s[t] + 1;
}
int main() {
    int h[100], *in, *out;
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<2, 64>>>(in, out, 100);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[99]);
    return 0;
}
