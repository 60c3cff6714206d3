// check: sm_60 nothing
// check: sm_90 nothing
// The first element has no left neighbour and takes itself.
#include <cstdio>
__global__ void differences(const int* a, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = a[i > 0 ? i - 1 : 0];
    out[i] = a[i] - left;
}
int main() {
    int h[120], *a, *out;
    for (int i = 0; i < 120; i++) h[i] = i * i;
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    differences<<<2, 60>>>(a, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[119]);
    return 0;
}
