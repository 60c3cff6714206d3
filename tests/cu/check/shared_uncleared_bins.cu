// check: sm_60 unwritten_shared @add
// check: sm_90 unwritten_shared @add
// The bins are never cleared before the atomics add to them, and shared memory does not begin as
// zeros.
#include <cstdio>
__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    atomicAdd(&bins[in[t] & 31], 1);  // @add
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
