// check: sm_60 nothing
// check: sm_90 nothing
// The shifted words go into a second array.
#include <cstdio>
__global__ void shift(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = a[(i + 1) % n];
    __syncthreads();
    b[i] = v;
}
int main() {
    int h[256], *a;
    int* b;
    for (int i = 0; i < 256; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMalloc(&b, sizeof h);
    shift<<<4, 64>>>(a, b, 256);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[255]);
    return 0;
}
