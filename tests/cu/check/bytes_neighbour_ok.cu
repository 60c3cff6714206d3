// check: sm_60 nothing
// check: sm_90 nothing
// Every lane stores a byte of its own; that four of them lie in one word is no race.
#include <cstdio>
__global__ void bytes(int* out) {
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = (unsigned char)(3 * t);
    __syncthreads();
    out[t] = s[63 - t];
}
int main() {
    int h[64], *out;
    cudaMalloc(&out, sizeof h);
    bytes<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
