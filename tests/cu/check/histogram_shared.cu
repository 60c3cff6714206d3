// check: sm_60 lost_update @bin @bin
// check: sm_90 lost_update @bin @bin
// Threads of several warps load, add to and store the same bin without an atomic.
#include <cstdio>
__global__ void histogram(const int* data, int* bins) {
    __shared__ int h[16];
    int t = threadIdx.x;
    if (t < 16) h[t] = 0;
    __syncthreads();
    int b = data[blockIdx.x * 128 + t] & 15;
    h[b] = h[b] + 1;  // @bin
    __syncthreads();
    if (t < 16) atomicAdd(&bins[t], h[t]);
}
int main() {
    int h[256], *data, *bins;
    for (int i = 0; i < 256; i++) h[i] = (i / 3) % 16;
    cudaMalloc(&data, sizeof h);
    cudaMalloc(&bins, 16 * sizeof(int));
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 16 * sizeof(int));
    histogram<<<2, 128>>>(data, bins);
    cudaMemcpy(h, bins, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[15]);
    return 0;
}
