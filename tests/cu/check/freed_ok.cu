// check: sm_60 nothing
// check: sm_90 nothing
// The array is freed after the kernel.
#include <cstdio>
__global__ void copy(const int* a, int* b) {
    int i = threadIdx.x;
    b[i] = a[i] + 1;
}
int main() {
    int h[64], *a, *b;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    copy<<<1, 64>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(b);
    return 0;
}
