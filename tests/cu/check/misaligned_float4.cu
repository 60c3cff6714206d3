// check: sm_60 misaligned @get
// check: sm_90 misaligned @get
// The array is read as float4 from its second float on, 4 bytes behind a multiple of 16.
#include <cstdio>
__global__ void sums(const float* a, float* out) {
    int t = threadIdx.x;
    float4 v = *reinterpret_cast<const float4*>(a + 1 + 4 * t);  // @get
    out[t] = v.x + v.y + v.z + v.w;
}
int main() {
    float h[136], *a, *out;
    for (int i = 0; i < 136; i++) h[i] = (float)i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&out, 32 * sizeof(float));
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 32 * sizeof(float));
    sums<<<1, 32>>>(a, out);
    cudaMemcpy(h, out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
    return 0;
}
