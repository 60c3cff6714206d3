// check: sm_60 nothing
// check: sm_90 nothing
// Block 0 has no block before it and adds nothing.
#include <cstdio>
__global__ void addOffsets(int* a, const int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
    a[i] += before;
}
int main() {
    int h[128], *a, *sums;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&sums, 4 * sizeof(int));
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(sums, h, 4 * sizeof(int), cudaMemcpyHostToDevice);
    addOffsets<<<4, 32>>>(a, sums);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[127]);
    return 0;
}
