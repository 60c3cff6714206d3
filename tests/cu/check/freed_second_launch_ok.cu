// check: sm_60 nothing
// check: sm_90 nothing
// Both launches come before the array is freed.
#include <cstdio>
__global__ void fill(int* a, int v) {
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
int main() {
    int* a;
    cudaMalloc(&a, 128 * sizeof(int));
    fill<<<2, 64>>>(a, 1);
    cudaDeviceSynchronize();
    fill<<<2, 64>>>(a, 2);
    cudaDeviceSynchronize();
    cudaFree(a);
    printf("done\n");
    return 0;
}
