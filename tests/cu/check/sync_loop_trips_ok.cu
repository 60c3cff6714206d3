// check: sm_60 nothing
// check: sm_90 nothing
// All warps go round equally often; only the work depends on the warp.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[96];
    int t = threadIdx.x, warp = t / 32;
    s[t] = 0;
    for (int k = 0; k < 3; k++) {
        if (k <= warp) s[t] = s[t] + k;
        __syncthreads();
    }
    out[t] = s[t];
}
int main() {
    int h[96], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 96>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[95]);
    return 0;
}
