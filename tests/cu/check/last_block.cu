// check: sm_60 global_read_write @put @get
// check: sm_90 global_read_write @put @get
// The last block adds up what the others stored, but nothing makes their stores visible before
// their tickets.
#include <cstdio>
__global__ void sum(const int* in, int* part, unsigned* tickets, int* out) {
    int t = threadIdx.x;
    int v = in[blockIdx.x * 32 + t];
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffffu, v, k);
    if (t == 0) {
        part[blockIdx.x] = v;  // @put
        unsigned ticket = atomicInc(tickets, gridDim.x - 1);
        if (ticket == gridDim.x - 1) {
            int all = 0;
            for (unsigned b = 0; b < gridDim.x; b++)
                all += part[b];  // @get
            *out = all;
        }
    }
}
int main() {
    int h[256], *in, *part, *out;
    unsigned* tickets;
    for (int i = 0; i < 256; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&part, 8 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&tickets, sizeof(unsigned));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(tickets, 0, sizeof(unsigned));
    cudaMemset(part, 0, 8 * sizeof(int));
    sum<<<8, 32>>>(in, part, tickets, out);
    cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
