// check: sm_60 warp_mask @vote
// check: sm_90 warp_mask @vote
// The vote stands in a branch that the even lanes do not take, but its mask names them.
#include <cstdio>
__global__ void votes(const int* in, unsigned* out) {
    int t = threadIdx.x;
    int v = in[t];
    unsigned got = 0;
    if (v & 1) {
        got = __ballot_sync(0xffffffffu, v > 9);  // @vote
    }
    out[t] = got;
}
int main() {
    int h[32], *in;
    unsigned r[32], *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    votes<<<1, 32>>>(in, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%x %x\n", r[0], r[1]);
    return 0;
}
