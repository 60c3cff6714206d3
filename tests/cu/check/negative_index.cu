// check: sm_60 out_of_bounds @get
// check: sm_90 out_of_bounds @get
// Thread 0 reads the element before the array.
#include <cstdio>
__global__ void differences(const int* a, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = a[i - 1];  // @get
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
