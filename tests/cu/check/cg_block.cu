// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// tile.sync() of a tile of 32 orders one warp, but the words come from another warp of the block.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
    __shared__ volatile int s[128];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    s[t] = 0;
    block.sync();
    s[t] = t * t;  // @put
    tile.sync();
    int v = s[(t + 64) % 128];  // @get
    out[t] = v + (int)tile.thread_rank();
}
int main() {
    int h[128], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 128>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[127]);
    return 0;
}
