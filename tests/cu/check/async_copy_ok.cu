// check: sm_60 nothing
// check: sm_90 nothing
// Each step waits for its own group, then for the other threads.
#include <cstdio>
#include <cuda_pipeline.h>
#define B 64
#define STEPS 4
__global__ void sums(const int* in, int* out) {
    __shared__ int buf[2][B];
    int t = threadIdx.x, acc = 0;
    __pipeline_memcpy_async(&buf[0][t], in + t, 4);  // @first
    __pipeline_commit();
    for (int k = 0; k < STEPS; k++) {
        if (k + 1 < STEPS)
            __pipeline_memcpy_async(&buf[(k + 1) & 1][t], in + (k + 1) * B + t, 4);  // @next
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += (k + 1) * buf[k & 1][B - 1 - t];  // @use
        __syncthreads();
    }
    out[t] = acc;
}
int main() {
    int h[B * STEPS], *in, *out;
    for (int i = 0; i < B * STEPS; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, B * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, B>>>(in, out);
    cudaMemcpy(h, out, B * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
