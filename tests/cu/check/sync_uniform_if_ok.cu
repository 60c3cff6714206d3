// check: sm_60 nothing
// check: sm_90 nothing
// A barrier in a condition is right where the condition is the same for the whole block (here: it
// depends on blockIdx only).
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (blockIdx.x % 2 == 0) {
        __syncthreads();
        out[blockIdx.x * 64 + t] = s[63 - t];
    } else {
        out[blockIdx.x * 64 + t] = s[t];
    }
}
int main() {
    int h[256], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<4, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[64]);
    return 0;
}
