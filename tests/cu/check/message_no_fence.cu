// check: sm_60 global_read_write @put @get
// check: sm_90 global_read_write @put @get
// Block 1 waits for a volatile flag, but without fences the words of the message may become
// visible after the flag.
#include <cstdio>
__global__ void send(int* message, volatile int* flag, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        message[t] = 3 * t;  // @put
        __syncthreads();
        if (t == 0) *flag = 1;
    } else {
        if (t == 0)
            while (*flag == 0) {
            }
        __syncthreads();
        out[t] = message[t];  // @get
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
