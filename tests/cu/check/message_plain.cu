// check: sm_60 global_read_write @putm @getm
// check: sm_60 global_read_write @putf @getf
// check: sm_90 global_read_write @putm @getm
// check: sm_90 global_read_write @putf @getf
// Block 0 stores a message and a flag, block 1 reads both, all with plain accesses: neither the
// flag nor the message is ordered.
#include <cstdio>
__global__ void send(int* message, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *message = 42;  // @putm
        *flag = 1;  // @putf
    } else {
        int f = *flag;     // @getf
        int m = *message;  // @getm
        out[0] = f;
        out[1] = m;
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
