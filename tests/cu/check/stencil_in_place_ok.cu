// check: sm_60 nothing
// check: sm_90 nothing
// The sums go into a second array.
#include <cstdio>
__global__ void smooth(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        b[i] = (a[i - 1] + a[i + 1]) / 2;
}
int main() {
    int h[256], *a;
    int* b;
    for (int i = 0; i < 256; i++) h[i] = i * i;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    smooth<<<4, 64>>>(a, b, 256);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[64]);
    return 0;
}
