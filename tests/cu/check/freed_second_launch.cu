// check: sm_60 use_after_free @put
// check: sm_90 use_after_free @put
// The first launch is right; then the array is freed, and the second launch stores to it.
#include <cstdio>
__global__ void fill(int* a, int v) {
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;  // @put
}
int main() {
    int* a;
    cudaMalloc(&a, 128 * sizeof(int));
    fill<<<2, 64>>>(a, 1);
    cudaDeviceSynchronize();
    cudaFree(a);
    fill<<<2, 64>>>(a, 2);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
