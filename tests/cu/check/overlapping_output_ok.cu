// check: sm_60 nothing
// check: sm_90 nothing
// Each block has 64 words of its own.
#include <cstdio>
#define STRIDE 64
__global__ void fill(int* out) {
    int t = threadIdx.x;
    out[blockIdx.x * STRIDE + t] = 1000 * blockIdx.x + t;
}
int main() {
    int h[256], *out;
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    fill<<<4, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[61]);
    return 0;
}
