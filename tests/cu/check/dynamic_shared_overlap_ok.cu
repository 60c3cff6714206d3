// check: sm_60 nothing
// check: sm_90 nothing
// The second array starts behind the first.
#include <cstdio>
#define B 64
__global__ void both(const int* in, float* out) {
    extern __shared__ int pool[];
    int* keys = pool;
    float* weights = (float*)(pool + B);
    int t = threadIdx.x;
    keys[t] = in[t];
    weights[t] = 0.5f * t + 1;
    __syncthreads();
    out[t] = keys[B - 1 - t] * weights[B - 1 - t];
}
int main() {
    int h[B], *in;
    float *out, r[B];
    for (int i = 0; i < B; i++) h[i] = i + 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    both<<<1, B, 2 * B * sizeof(int)>>>(in, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%g\n", r[3]);
    return 0;
}
