// check: sm_60 nothing
// check: sm_90 nothing
// The loop ends before n.
#include <cstdio>
__global__ void twice(const int* a, int* b, int n) {
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        b[i] = 2 * a[i];
}
int main() {
    static int h[1001];
    int n = 1000, *a, *b;
    for (int i = 0; i <= n; i++) h[i] = i;
    cudaMalloc(&a, (n + 1) * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, h, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<2, 64>>>(a, b, n);
    cudaMemcpy(h, b, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[n - 1]);
    return 0;
}
