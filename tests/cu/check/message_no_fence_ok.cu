// check: sm_60 nothing
// check: sm_90 nothing
// Fences between message and flag on the writing side and between flag and message on the reading
// side.
#include <cstdio>
__global__ void send(int* message, volatile int* flag, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        message[t] = 3 * t;
        __threadfence();
        __syncthreads();
        if (t == 0) *flag = 1;
    } else {
        if (t == 0)
            while (*flag == 0) {
            }
        __syncthreads();
        __threadfence();
        out[t] = message[t];
    }
}
int main() {
    int h[64], *message, *flag, *out;
    cudaMalloc(&message, sizeof h);
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, sizeof h);
    cudaMemset(message, 0, sizeof h);
    cudaMemset(flag, 0, sizeof(int));
    send<<<2, 64>>>(message, flag, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
