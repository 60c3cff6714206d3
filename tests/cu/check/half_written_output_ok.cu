// check: sm_60 nothing
// check: sm_90 nothing
// The first kernel stores all elements.
#include <cstdio>
__global__ void produce(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
}
__global__ void consume(const int* a, int* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i] + 1;
}
int main() {
    int h[128], *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    produce<<<2, 64>>>(a);
    consume<<<2, 64>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[2]);
    return 0;
}
