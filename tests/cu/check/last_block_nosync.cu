// check: sm_60 global_read_write @put @get
// check: sm_90 global_read_write @put @get
// Thread 0 takes the ticket right after its own fence, without waiting for the other warps of its
// block, whose stores may come later. The last block waits for its own threads before it reads.
#include <cstdio>
#define B 64
__global__ void squares(const int* in, int* part, unsigned* tickets, int* out) {
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * B + t;
    part[i] = in[i] * in[i];  // @put
    __threadfence();
    if (t == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            all += part[b * B + B - 1 - t];  // @get
        out[t] = all;
    }
}
int main() {
    int h[4 * B], *in, *part, *out;
    unsigned* tickets;
    for (int i = 0; i < 4 * B; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&part, sizeof h);
    cudaMalloc(&out, B * sizeof(int));
    cudaMalloc(&tickets, sizeof(unsigned));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(tickets, 0, sizeof(unsigned));
    cudaMemset(part, 0, sizeof h);
    squares<<<4, B>>>(in, part, tickets, out);
    cudaMemcpy(h, out, B * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
