// check: sm_60 global_write_write @clear @add
// check: sm_90 global_write_write @clear @add
// Block 0 clears the counter with a plain store in the same launch in which all blocks add to it:
// a plain store against atomics.
#include <cstdio>
__global__ void count(const int* in, int* n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        *n = 0;  // @clear
    if (in[i] > 0)
        atomicAdd(n, 1);  // @add
}
int main() {
    int h[256], *in, *n;
    for (int i = 0; i < 256; i++) h[i] = i % 3;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&n, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(n, 0, sizeof(int));
    count<<<4, 64>>>(in, n);
    cudaMemcpy(h, n, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
