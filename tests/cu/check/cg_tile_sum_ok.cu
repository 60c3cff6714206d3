// check: sm_60 nothing
// check: sm_90 nothing
// Each tile of 8 lanes sums by shuffles and its first lane adds to the total with an atomic.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(const int* in, int* total) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
    if (tile.thread_rank() == 0) atomicAdd(total, v);
}
int main() {
    int h[128], *in, *total;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    sum<<<2, 64>>>(in, total);
    cudaMemcpy(h, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
