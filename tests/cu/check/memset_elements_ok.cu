// check: sm_60 nothing
// check: sm_90 nothing
// All bytes are cleared; a cudaMemset counts as a write.
#include <cstdio>
__global__ void count(const int* in, int* n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&n[in[i] & 63], 1);
}
int main() {
    int h[128], *in, *n;
    for (int i = 0; i < 128; i++) h[i] = 5 * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&n, 64 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(n, 0, 64 * sizeof(int));
    count<<<2, 64>>>(in, n);
    cudaMemcpy(h, n, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[63]);
    return 0;
}
