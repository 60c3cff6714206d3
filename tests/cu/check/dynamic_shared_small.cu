// check: sm_60 out_of_bounds @put
// check: sm_90 out_of_bounds @put
// The launch asks for as many bytes of dynamic shared memory as there are floats, a quarter of
// what the kernel uses.
#include <cstdio>
__global__ void reverse(const float* in, float* out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float v = in[t];
    s[t] = v;  // @put
    out[t] = v;
}
int main() {
    const int n = 64;
    float h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = (float)i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    reverse<<<1, n, n>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
