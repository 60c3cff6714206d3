// check: sm_60 stopped @trap
// check: sm_90 stopped @trap
// A thread that meets a negative number runs __trap(), which stops the kernel.
#include <cstdio>
__global__ void roots(const float* in, float* out) {
    int t = threadIdx.x;
    if (in[t] < 0)
        __trap();  // @trap
    out[t] = sqrtf(in[t]);
}
int main() {
    float h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = (float)i;
    h[40] = -1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    roots<<<1, 64>>>(in, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
