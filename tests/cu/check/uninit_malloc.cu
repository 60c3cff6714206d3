// check: sm_60 unwritten_global @add
// check: sm_90 unwritten_global @add
// The sums begin with what cudaMalloc left in the array: nothing has written it.
#include <cstdio>
__global__ void addTo(int* sums, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] += in[i];  // @add
}
int main() {
    int h[128], *in, *sums;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&sums, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    addTo<<<2, 64>>>(sums, in);
    cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[127]);
    return 0;
}
