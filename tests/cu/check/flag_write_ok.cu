// check: sm_60 nothing
// check: sm_90 nothing
// All lanes that store put the same value into the word, so it does not matter which one stays.
#include <cstdio>
__global__ void find(const int* in, int* out) {
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0) flag = -1;
    __syncthreads();
    if (in[t] % 3 == 0)
        flag = 1;
    __syncthreads();
    if (t == 0) *out = flag;
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    find<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
