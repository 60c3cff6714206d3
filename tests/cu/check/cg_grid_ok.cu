// check: sm_60 nothing
// check: sm_90 nothing
// grid.sync() of a cooperative launch orders the blocks.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void kernel(int* a, int* out) {
    auto grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    grid.sync();
    out[i] = a[n - 1 - i];
}
int main() {
    int h[128], *a, *out;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemset(a, 0, sizeof h);
    void* args[] = {&a, &out};
    cudaLaunchCooperativeKernel((void*)kernel, dim3(2), dim3(64), args, 0, 0);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[127]);
    return 0;
}
