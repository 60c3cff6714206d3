// check: sm_60 nothing
// check: sm_90 nothing
// The barrier orders global memory among the threads of the block too.
#include <cstdio>
__global__ void exchange(int* a, int* out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = 5 * i;
    __syncthreads();
    int v = a[i ^ 32];
    out[i] = v;
}
int main() {
    int h[128], *a, *out;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemset(a, 0, sizeof h);
    exchange<<<2, 64>>>(a, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
