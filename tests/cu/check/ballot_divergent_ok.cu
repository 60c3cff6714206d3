// check: sm_60 nothing
// check: sm_90 nothing
// The lanes of the branch are found by a vote before it, and that is the mask inside.
#include <cstdio>
__global__ void votes(const int* in, unsigned* out) {
    int t = threadIdx.x;
    int v = in[t];
    unsigned got = 0;
    unsigned odd = __ballot_sync(0xffffffffu, v & 1);
    if (v & 1) {
        got = __ballot_sync(odd, v > 9);
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
