// check: sm_60 shared_read_write @byte @word
// check: sm_90 shared_read_write @byte @word
// Bytes are stored and read back as whole words by the other warp, with no barrier between. The
// bytes are cleared first.
#include <cstdio>
__global__ void pack(unsigned* out) {
    __shared__ __align__(4) unsigned char s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = (unsigned char)(t + 1);  // @byte
    if (t < 16)
        out[t] = *(const unsigned*)(s + 4 * (15 - t));  // @word
}
int main() {
    unsigned h[16], *out;
    cudaMalloc(&out, sizeof h);
    pack<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x\n", h[0]);
    return 0;
}
