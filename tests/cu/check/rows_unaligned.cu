// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// Blocks of 24 x 4 have three warps that begin within a row; a swap inside a row (x with 23 - x)
// crosses warps in rows 1 and 2, and __syncwarp does not reach there.
#include <cstdio>
__global__ void mirrorRows(int* out) {
    __shared__ volatile int s[4][24];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = 0;
    __syncthreads();
    s[y][x] = 100 * y + x;  // @put
    __syncwarp();
    int v = s[y][23 - x];  // @get
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
