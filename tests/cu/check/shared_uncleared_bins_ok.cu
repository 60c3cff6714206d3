// check: sm_60 nothing
// check: sm_90 nothing
// The bins are cleared, then comes a barrier.
#include <cstdio>
__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] & 31], 1);
    __syncthreads();
    if (t < 32) out[t] = atomicExch(&bins[t], 0);
}
int main() {
    int h[128], *in, *out;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    histogram<<<1, 128>>>(in, out);
    cudaMemcpy(h, out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
