// check: sm_60 unwritten_global @get
// check: sm_90 unwritten_global @get
// The size of the copy is given in elements instead of bytes, so three quarters of the array stay
// unwritten.
#include <cstdio>
__global__ void half(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] / 2;  // @get
}
int main() {
    const int n = 128;
    float h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = (float)i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
    half<<<2, 64>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[n - 1]);
    return 0;
}
