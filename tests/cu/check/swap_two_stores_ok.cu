// check: sm_60 nothing
// check: sm_90 nothing
// __syncwarp orders the two stores.
#include <cstdio>
__global__ void twice(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    s[t ^ 1] = 100 + t;
    __syncthreads();
    out[t] = s[t];
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    twice<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
