// check: sm_60 warp_mask @shfl
// check: sm_90 warp_mask @shfl
// All 32 lanes run the shuffle, but its mask names the lower 16 only; a lane has to be in the
// mask it gives.
#include <cstdio>
__global__ void halves(const int* in, int* out) {
    int t = threadIdx.x;
    int v = in[t];
    for (int k = 8; k > 0; k >>= 1)
        v += __shfl_xor_sync(0x0000ffffu, v, k);  // @shfl
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
