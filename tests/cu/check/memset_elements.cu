// check: sm_60 unwritten_global @add
// check: sm_90 unwritten_global @add
// cudaMemset counts bytes: only the first quarter of the counters is cleared, and an atomic add
// to the others loads what nobody wrote.
#include <cstdio>
__global__ void count(const int* in, int* n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&n[in[i] & 63], 1);  // @add
}
int main() {
    int h[128], *in, *n;
    for (int i = 0; i < 128; i++) h[i] = 5 * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&n, 64 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(n, 0, 64);
    count<<<2, 64>>>(in, n);
    cudaMemcpy(h, n, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[63]);
    return 0;
}
