// check: sm_60 global_write_write @put @put
// check: sm_90 global_write_write @put @put
// The lock is taken and given back by atomics, but without fences the stores inside it are not
// ordered between blocks.
#include <cstdio>
__global__ void visit(int* lock, int* last) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *last = blockIdx.x + 1;  // @put
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
