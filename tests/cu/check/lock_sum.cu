// check: sm_60 lost_update @add @add
// check: sm_90 lost_update @add @add
// The blocks add to a sum of doubles with no lock around the load and the store.
#include <cstdio>
__global__ void add(int* lock, double* sum) {
    if (threadIdx.x == 0) {
        *sum = *sum + blockIdx.x;  // @add
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
