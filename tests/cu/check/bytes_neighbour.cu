// check: sm_60 shared_write_write @byte @byte
// check: sm_90 shared_write_write @byte @byte
// Two lanes of one instruction store different values into the same byte.
#include <cstdio>
__global__ void bytes(int* out) {
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t / 2] = (unsigned char)(3 * t);  // @byte
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
