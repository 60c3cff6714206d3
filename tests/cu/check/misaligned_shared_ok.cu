// check: sm_60 nothing
// check: sm_90 nothing
// Each thread reads the pair at twice its number.
#include <cstdio>
__global__ void pairs(const float* in, float* out) {
    __shared__ __align__(16) float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    __syncthreads();
    float2 v = *reinterpret_cast<const float2*>(s + 2 * t);
    out[t] = v.x - v.y;
}
int main() {
    float h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = (float)i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    pairs<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
