// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// The accesses lie in __device__ functions, which the kernel calls with no barrier between; the
// words read are those of the other warp.
#include <cstdio>
struct Tile {
    int v[64];
};
__device__ void put(Tile& tile, int i, int x) {
    tile.v[i] = x;  // @put
}
__device__ int get(const Tile& tile, int i) {
    return tile.v[i];  // @get
}
__global__ void exchange(const int* in, int* out) {
    __shared__ Tile tile;
    int t = threadIdx.x;
    tile.v[t] = 0;
    __syncthreads();
    put(tile, t, in[t]);
    out[t] = get(tile, 63 - t);
}
int main() {
    int h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = i * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    exchange<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
