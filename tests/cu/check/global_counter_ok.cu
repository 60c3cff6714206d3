// check: sm_60 nothing
// check: sm_90 nothing
// atomicAdd makes every count arrive.
#include <cstdio>
__global__ void count(const int* in, int* n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0)
        atomicAdd(n, 1);
}
int main() {
    int h[128], *in, *n;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&n, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(n, 0, sizeof(int));
    count<<<2, 64>>>(in, n);
    cudaMemcpy(h, n, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
