// check: sm_60 shared_read_write @put @get
// check: sm_90 shared_read_write @put @get
// The doubles of warp 0 cover the words that warp 1 reads as ints through the same union, with no
// barrier between. The words are filled first.
#include <cstdio>
union Both {
    double d[32];
    int i[64];
};
__global__ void mix(int* out) {
    __shared__ Both u;
    int t = threadIdx.x;
    u.i[t] = t;
    __syncthreads();
    if (t < 32)
        u.d[t] = 1.0 + t;  // @put
    if (t >= 32)
        out[t - 32] = u.i[2 * (t - 32) + 1];  // @get
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    mix<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x\n", h[1]);
    return 0;
}
