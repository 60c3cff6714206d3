// check: sm_60 nothing
// check: sm_90 nothing
// All threads that store put the same value, so the order does not matter.
#include <cstdio>
__global__ void find(const int* in, int key, int* found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] == key)
        *found = 1;
}
int main() {
    int h[256], *in, *found;
    for (int i = 0; i < 256; i++) h[i] = i % 10;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&found, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(found, 0, sizeof(int));
    find<<<4, 64>>>(in, 3, found);
    cudaMemcpy(h, found, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
