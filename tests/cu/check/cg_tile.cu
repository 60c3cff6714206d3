// check: sm_60 nothing
// check: sm_90 shared_read_write @put @get
// The lanes of a tile of 16 exchange words without tile.sync(): in step before sm_70 only.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
    __shared__ volatile int s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int t = threadIdx.x, r = tile.thread_rank(), base = t - r;
    s[t] = 0;
    block.sync();
    s[t] = t;  // @put
    int v = s[base + 15 - r];  // @get
    out[t] = v;
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
