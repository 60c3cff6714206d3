// check: sm_60 out_of_bounds @get
// check: sm_90 out_of_bounds @get
// A __device__ array of 10 entries is read with indices up to 15.
#include <cstdio>
__device__ int table[10];
__global__ void lookup(const int* keys, int* out) {
    int t = threadIdx.x;
    int k = keys[t];
    out[t] = table[k];  // @get
}
int main() {
    int h[16], *keys, *out;
    for (int i = 0; i < 16; i++) h[i] = i;
    cudaMalloc(&keys, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice);
    lookup<<<1, 16>>>(keys, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
