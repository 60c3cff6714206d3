// check: sm_60 nothing
// check: sm_90 nothing
// The mask names all lanes that run __syncwarp.
#include <cstdio>
__global__ void kernel(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp(0xffffffffu);
    int v = t < 16 ? s[t ^ 1] : s[t];
    out[t] = v;
}
int main() {
    int h[32], *out;
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
