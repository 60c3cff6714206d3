// check: sm_60 global_write_write @put @put
// check: sm_90 global_write_write @put @put
// Each block of 64 threads stores from 60 times its number on, so the last four words of a block
// are also the next one's first, with other values.
#include <cstdio>
#define STRIDE 60
__global__ void fill(int* out) {
    int t = threadIdx.x;
    out[blockIdx.x * STRIDE + t] = 1000 * blockIdx.x + t;  // @put
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
