// check: sm_60 nothing
// check: sm_90 nothing
// Filling and using are two launches, which are ordered.
#include <cstdio>
__global__ void fill(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i * 2;
}
__global__ void use(int* a, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[n - 1 - i];
}
int main() {
    int h[256], *a, *out;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&out, sizeof h);
    fill<<<4, 64>>>(a);
    use<<<4, 64>>>(a, out, 256);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
