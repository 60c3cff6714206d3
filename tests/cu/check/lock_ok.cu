// check: sm_60 nothing
// check: sm_90 nothing
// A fence after taking the lock and one before giving it back.
#include <cstdio>
__global__ void visit(int* lock, int* last) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *last = blockIdx.x + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
int main() {
    int *lock, *last, h;
    cudaMalloc(&lock, sizeof(int));
    cudaMalloc(&last, sizeof(int));
    cudaMemset(lock, 0, sizeof(int));
    visit<<<4, 32>>>(lock, last);
    cudaMemcpy(&h, last, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return 0;
}
