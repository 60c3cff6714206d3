// check: sm_60 nothing
// check: sm_90 nothing
// A volatile flag that block 1 waits for, with fences on both sides.
#include <cstdio>
__global__ void send(int* message, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        *message = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        out[0] = 1;
        out[1] = *message;
    }
}
int main() {
    int *message, *flag, *out, h[2];
    cudaMalloc(&message, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, sizeof h);
    cudaMemset(message, 0, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    send<<<2, 1>>>(message, flag, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
