// check: sm_60 use_after_free @get
// check: sm_90 use_after_free @get
// The kernel is launched with an array that has been freed.
#include <cstdio>
__global__ void copy(const int* a, int* b) {
    int i = threadIdx.x;
    b[i] = a[i] + 1;  // @get
}
int main() {
    int h[64], *a, *b;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(a);
    copy<<<1, 64>>>(a, b);
    cudaDeviceSynchronize();
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(b);
    return 0;
}
