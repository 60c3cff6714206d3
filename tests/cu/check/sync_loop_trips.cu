// check: sm_60 barrier_not_reached @bar
// check: sm_90 barrier_not_reached @bar
// Warp w goes round the loop w + 1 times; at the later barriers the lower warps are missing. Each
// thread uses its own word only.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[96];
    int t = threadIdx.x, warp = t / 32;
    s[t] = 0;
    for (int k = 0; k <= warp; k++) {
        s[t] = s[t] + k;
        __syncthreads();  // @bar
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
