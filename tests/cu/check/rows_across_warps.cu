// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// Blocks of 16 x 4: a warp is two rows; row 1 takes from row 2 and row 3 from row 0, which belong
// to the other warp.
#include <cstdio>
__global__ void turnRows(int* out) {
    __shared__ volatile int s[4][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = 0;
    __syncthreads();
    s[y][x] = 100 * y + x;  // @put
    __syncwarp();
    int v = s[(y + 1) % 4][x];  // @get
    out[y * 16 + x] = v;
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    turnRows<<<1, dim3(16, 4)>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
