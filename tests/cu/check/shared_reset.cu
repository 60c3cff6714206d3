// check: sm_60 shared_write_write @clear @add
// check: sm_90 shared_write_write @clear @add
// Thread 0 clears the sum with a plain store while other warps may already add to it: a plain
// store against atomics.
#include <cstdio>
__global__ void sums(const int* in, int* out) {
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) sum = 0;
    __syncthreads();
    for (int r = 0; r < 2; r++) {
        if (t == 0)
            sum = 100 * r;  // @clear
        atomicAdd(&sum, in[64 * r + t]);  // @add
        __syncthreads();
        if (t == 0) out[r] = sum;
        __syncthreads();
    }
}
int main() {
    int h[128], *in, *out;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
