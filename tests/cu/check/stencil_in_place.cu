// check: sm_60 global_read_write @avg @avg
// check: sm_90 global_read_write @avg @avg
// A thread stores its word in place while the neighbours, also of other blocks, read it. Every
// word has one writer only, so no update is lost, but old and new values mix.
#include <cstdio>
__global__ void smooth(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        a[i] = (a[i - 1] + a[i + 1]) / 2;  // @avg
}
int main() {
    int h[256], *a;
    for (int i = 0; i < 256; i++) h[i] = i * i;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    smooth<<<4, 64>>>(a, 256);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[64]);
    return 0;
}
