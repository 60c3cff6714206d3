// check: sm_60 nothing
// check: sm_90 nothing
// A barrier separates the bytes from the words over them.
#include <cstdio>
__global__ void pack(unsigned* out) {
    __shared__ __align__(4) unsigned char s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = (unsigned char)(t + 1);
    __syncthreads();
    if (t < 16)
        out[t] = *(const unsigned*)(s + 4 * (15 - t));
}
int main() {
    unsigned h[16], *out;
    cudaMalloc(&out, sizeof h);
    pack<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x\n", h[0]);
    return 0;
}
