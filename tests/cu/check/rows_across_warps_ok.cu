// check: sm_60 nothing
// check: sm_90 nothing
// A barrier of the block between the store and the load.
#include <cstdio>
__global__ void turnRows(int* out) {
    __shared__ volatile int s[4][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = 0;
    __syncthreads();
    s[y][x] = 100 * y + x;
    __syncthreads();
    int v = s[(y + 1) % 4][x];
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
