// check: sm_60 nothing
// check: sm_90 nothing
// One barrier after the reads and one after the stores.
#include <cstdio>
#define B 128
__global__ void scan(const int* in, int* out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        int v = 0;
        if (t >= d)
            v = s[t - d];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}
int main() {
    int h[B], *in, *out;
    for (int i = 0; i < B; i++) h[i] = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<1, B>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[B - 1]);
    return 0;
}
