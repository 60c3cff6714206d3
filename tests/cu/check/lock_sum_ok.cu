// check: sm_60 nothing
// check: sm_90 nothing
// The load and the store lie between taking and giving back a lock, with fences, so no update is
// lost.
#include <cstdio>
__global__ void add(int* lock, double* sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum = *sum + blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    }
}
int main() {
    int* lock;
    double *sum, h;
    cudaMalloc(&lock, sizeof(int));
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(lock, 0, sizeof(int));
    cudaMemset(sum, 0, sizeof(double));
    add<<<8, 32>>>(lock, sum);
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h);
    return 0;
}
