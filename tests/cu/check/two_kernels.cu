// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// Two kernels with the same job, the first with its barrier and the second without; only the
// second has a finding.
#include <cstdio>
__global__ void right(int* a) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    a[t] = s[63 - t] + 1;
}
__global__ void wrong(int* a) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = a[t];  // @put
    a[t] = s[63 - t] + 1;  // @get
}
int main() {
    int h[64], *a;
    cudaMalloc(&a, sizeof h);
    cudaMemset(a, 0, sizeof h);
    right<<<1, 64>>>(a);
    wrong<<<1, 64>>>(a);
    right<<<1, 64>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
