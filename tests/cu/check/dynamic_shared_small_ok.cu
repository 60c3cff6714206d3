// check: sm_60 nothing
// check: sm_90 nothing
// The launch asks for four bytes a float.
#include <cstdio>
__global__ void reverse(const float* in, float* out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t];
}
int main() {
    const int n = 64;
    float h[n], *in, *out;
    for (int i = 0; i < n; i++) h[i] = (float)i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    reverse<<<1, n, n * sizeof(float)>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
