// check: sm_60 global_read_write @rd @wr
// check: sm_90 global_read_write @rd @wr
// Each thread moves a word to the left neighbour's place; inside a block the barrier orders loads
// and stores, but the last thread of block b reads the first word of block b + 1, which that
// block stores.
#include <cstdio>
__global__ void shift(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = a[(i + 1) % n];  // @rd
    __syncthreads();
    a[i] = v;  // @wr
}
int main() {
    int h[256], *a;
    for (int i = 0; i < 256; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    shift<<<4, 64>>>(a, 256);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[255]);
    return 0;
}
