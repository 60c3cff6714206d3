// check: sm_60 out_of_bounds @get
// check: sm_90 out_of_bounds @get
// blockIdx.x - 1 is unsigned, so block 0 reads element 2^32 - 1, far behind the array.
#include <cstdio>
__global__ void addOffsets(int* a, const int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int before = sums[blockIdx.x - 1];  // @get
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
