// check: sm_60 nothing
// check: sm_90 nothing
// The assertion holds for all threads.
#include <cassert>
#include <cstdio>
__global__ void check(const int* in, int* out) {
    int t = threadIdx.x;
    int v = in[t];
    assert(v < 64);
    out[t] = v;
}
int main() {
    int h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    check<<<1, 64>>>(in, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
