// check: sm_60 nothing
// check: sm_90 nothing
// The barrier stands behind the if, where all threads come.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) {
        s[t] = s[t] + 100;
    }
    __syncthreads();
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
