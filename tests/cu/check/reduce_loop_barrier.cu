// check: sm_60 shared_read_write @add @add
// check: sm_90 shared_read_write @add @add
// A step reads what other threads wrote in the step before, with no barrier between; the first
// steps cross warps, so every generation is concerned.
#include <cstdio>
__global__ void reduce(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];  // @add
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
int main() {
    int h[256];
    for (int i = 0; i < 256; i++) h[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<<<2, 128>>>(in, out);
    cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
