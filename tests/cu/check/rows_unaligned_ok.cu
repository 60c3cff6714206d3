// check: sm_60 nothing
// check: sm_90 nothing
// A barrier of the block, whatever warps the rows fall into.
#include <cstdio>
__global__ void mirrorRows(int* out) {
    __shared__ volatile int s[4][24];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = 0;
    __syncthreads();
    s[y][x] = 100 * y + x;
    __syncthreads();
    int v = s[y][23 - x];
    out[y * 24 + x] = v;
}
int main() {
    int h[96], *out;
    cudaMalloc(&out, sizeof h);
    mirrorRows<<<1, dim3(24, 4)>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[95]);
    return 0;
}
