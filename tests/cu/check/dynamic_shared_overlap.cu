// check: sm_60 shared_write_write @a @b
// check: sm_90 shared_write_write @a @b
// The second array starts half-way into the first (32 words on instead of 64), so warp 1's part
// of one and warp 0's part of the other are the same words.
#include <cstdio>
#define B 64
__global__ void both(const int* in, float* out) {
    extern __shared__ int pool[];
    int* keys = pool;
    float* weights = (float*)(pool + B / 2);
    int t = threadIdx.x;
    keys[t] = in[t];             // @a
    weights[t] = 0.5f * t + 1;   // @b
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
