// check: sm_60 out_of_bounds @put
// check: sm_90 out_of_bounds @put
// The word to the right is stored, so the last thread stores behind the array of 64.
#include <cstdio>
__global__ void shift(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) s[0] = 0;
    s[t + 1] = in[t];  // @put
    __syncthreads();
    out[t] = s[t];
}
int main() {
    int h[64], *in, *out;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    shift<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[63]);
    return 0;
}
