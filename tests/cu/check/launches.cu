// check: sm_60 global_read_write @put @get
// check: sm_90 global_read_write @put @get
// One launch fills and uses the array, so blocks read what other blocks store.
#include <cstdio>
__global__ void fill(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * 2;
}
__global__ void fillAndUse(int* a, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * 3;  // @put
    out[i] = a[n - 1 - i];  // @get
}
int main() {
    int h[256], *a, *out;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&out, sizeof h);
    fill<<<4, 64>>>(a);
    fillAndUse<<<4, 64>>>(a, out, 256);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
