// check: sm_60 barrier_not_reached @bar
// check: sm_90 barrier_not_reached @bar
// The barrier stands inside an if that only the first warp enters; the second warp never comes to
// it. Each thread uses its own word only.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) {
        s[t] = s[t] + 100;
        __syncthreads();  // @bar
    }
    out[t] = s[t];
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
