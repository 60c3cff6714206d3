// check: sm_60 nothing
// check: sm_90 nothing
// A barrier stands between the stores as double and the loads as int.
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
        u.d[t] = 1.0 + t;
    __syncthreads();
    if (t >= 32)
        out[t - 32] = u.i[2 * (t - 32) + 1];
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    mix<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x\n", h[1]);
    return 0;
}
