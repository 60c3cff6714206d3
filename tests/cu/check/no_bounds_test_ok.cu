// check: sm_60 nothing
// check: sm_90 nothing
// Threads behind the end do nothing.
#include <cstdio>
__global__ void square(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = a[i];
        b[i] = v * v + n;
    }
}
int main() {
    static int h[1024];
    int n = 1000, *a, *b;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, 1024 * sizeof(int));
    cudaMemset(b, 0, 1024 * sizeof(int));
    cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
    square<<<4, 256>>>(a, b, n);
    cudaMemcpy(h, b, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[n - 1]);
    return 0;
}
