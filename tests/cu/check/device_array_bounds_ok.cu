// check: sm_60 nothing
// check: sm_90 nothing
// The index is kept below 10; a __device__ array without initialiser begins as zeros.
#include <cstdio>
__device__ int table[10];
__global__ void lookup(const int* keys, int* out) {
    int t = threadIdx.x;
    int k = keys[t];
    out[t] = table[k % 10];
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
