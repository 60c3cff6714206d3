// check: sm_60 nothing
// check: sm_90 nothing
// The lanes with a key are found by a vote, which gives the mask inside the branch.
#include <cstdio>
__global__ void groups(const int* keys, int* out) {
    int t = threadIdx.x, key = keys[t], n = 0;
    unsigned with = __ballot_sync(0xffffffffu, key >= 0);
    if (key >= 0) {
        n = __any_sync(with, key == 4);
    }
    out[t] = n;
}
int main() {
    int h[32], *keys, *out;
    for (int i = 0; i < 32; i++) h[i] = i % 5 - 1;
    h[3] = 4;
    cudaMalloc(&keys, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice);
    groups<<<1, 32>>>(keys, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[3]);
    return 0;
}
