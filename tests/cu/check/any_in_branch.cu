// check: sm_60 warp_mask @vote
// check: sm_90 warp_mask @vote
// __any_sync in a branch of the lanes with a key, with a mask of all lanes.
#include <cstdio>
__global__ void groups(const int* keys, int* out) {
    int t = threadIdx.x, key = keys[t], n = 0;
    if (key >= 0) {
        n = __any_sync(0xffffffffu, key == 4);  // @vote
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
