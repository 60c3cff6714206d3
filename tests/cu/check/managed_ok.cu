// check: sm_60 nothing
// check: sm_90 nothing
// Managed memory that the host fills with plain stores counts as written, and so do symbols
// filled by cudaMemcpyToSymbol.
#include <cstdio>
__device__ int factors[4];
__constant__ int offsets[4];
__global__ void scale(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[i] * factors[i % 4] + offsets[i % 4];
}
int main() {
    int f[4] = {1, 2, 3, 4}, *a;
    cudaMemcpyToSymbol(factors, f, sizeof f);
    cudaMemcpyToSymbol(offsets, f, sizeof f);
    cudaMallocManaged(&a, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) a[i] = i;
    scale<<<2, 64>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", a[127]);
    cudaFree(a);
    return 0;
}
