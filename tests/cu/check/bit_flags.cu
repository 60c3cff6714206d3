// check: sm_60 lost_update @bit @bit
// check: sm_90 lost_update @bit @bit
// Setting a bit loads, changes and stores the whole word, and threads of all warps share the
// word.
#include <cstdio>
__global__ void flags(const int* in, unsigned* out) {
    __shared__ unsigned w;
    int t = threadIdx.x;
    if (t == 0) w = 0;
    __syncthreads();
    if (in[t] > 50)
        w |= 1u << (t / 4);  // @bit
    __syncthreads();
    if (t == 0) *out = w;
}
int main() {
    int h[128], *in;
    unsigned *out, r;
    for (int i = 0; i < 128; i++) h[i] = i * 29 % 103;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof(unsigned));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    flags<<<1, 128>>>(in, out);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%x\n", r);
    return 0;
}
