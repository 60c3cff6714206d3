// check: sm_60 nothing
// check: sm_90 nothing
// block.sync() is a barrier of the whole block.
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
    s[t] = t * t;
    block.sync();
    int v = s[(t + 64) % 128];
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
