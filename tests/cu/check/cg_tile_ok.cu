// check: sm_60 nothing
// check: sm_90 nothing
// tile.sync() orders the lanes of the tile.
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
    s[t] = t;
    tile.sync();
    int v = s[base + 15 - r];
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
