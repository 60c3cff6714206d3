// check: sm_60 nothing
// check: sm_90 nothing
// The mask names all lanes that run the shuffle.
#include <cstdio>
__global__ void halves(const int* in, int* out) {
    int t = threadIdx.x;
    int v = in[t];
    for (int k = 8; k > 0; k >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, k);
    out[t] = v;
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    halves<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
