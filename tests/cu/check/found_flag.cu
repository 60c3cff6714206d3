// check: sm_60 global_write_write @set @set
// check: sm_90 global_write_write @set @set
// Threads of several blocks and warps store their own index into one word; any of them may stay.
#include <cstdio>
__global__ void find(const int* in, int key, int* found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] == key)
        *found = i;  // @set
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
