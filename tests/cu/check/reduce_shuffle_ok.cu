// check: sm_60 nothing
// check: sm_90 nothing
// Shuffles within the warps, and a barrier before the sums of the warps are read.
#include <cstdio>
__device__ int warpSum(int v) {
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffffu, v, k);
    return v;
}
__global__ void reduce(const int* in, int* out) {
    __shared__ int part[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (warp == 0) part[lane] = 0;
    __syncthreads();
    int v = warpSum(in[blockIdx.x * 128 + t]);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = part[lane];
        v = warpSum(v);
        if (lane == 0) out[blockIdx.x] = v;
    }
}
int main() {
    int h[256];
    for (int i = 0; i < 256; i++) h[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<<<2, 128>>>(in, out);
    cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
