// check: sm_60 global_read_write @put @get
// check: sm_90 global_read_write @put @get
// Block b reads what the other block stored earlier in the same launch, with no sync of the grid
// between.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void kernel(int* a, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;  // @put
    out[i] = a[n - 1 - i];  // @get
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
