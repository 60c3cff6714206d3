// check: sm_60 unwritten_global @get
// check: sm_90 unwritten_global @get
// A first kernel stores the even elements only; the second loads all of them.
#include <cstdio>
__global__ void produce(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) a[i] = i;
}
__global__ void consume(const int* a, int* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i] + 1;  // @get
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
