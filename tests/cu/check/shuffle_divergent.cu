// check: sm_60 warp_mask @shfl
// check: sm_90 warp_mask @shfl
// The mask names all lanes, but the upper half is not in the branch and never runs this shuffle.
#include <cstdio>
__global__ void lower(const int* in, int* out) {
    int t = threadIdx.x;
    int v = in[t];
    if (t < 16) {
        for (int k = 8; k > 0; k >>= 1)
            v += __shfl_xor_sync(0xffffffffu, v, k);  // @shfl
    } else {
        v = -v;
    }
    out[t] = v;
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    lower<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
