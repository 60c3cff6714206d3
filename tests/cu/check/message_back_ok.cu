// check: sm_60 nothing
// check: sm_90 nothing
// Block 0 waits for block 1, the other way round than the numbers suggest; two blocks of one
// thread are on a GPU together. Flag and fences order the message.
#include <cstdio>
__global__ void send(int* message, volatile int* flag, int* out) {
    if (blockIdx.x == 1) {
        *message = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *message;
    }
}
int main() {
    int *message, *flag, *out, h;
    cudaMalloc(&message, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    send<<<2, 1>>>(message, flag, out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return 0;
}
