// check: sm_60 nothing
// check: sm_90 nothing
// __syncthreads_count, _or and _and are barriers of the block like __syncthreads and order shared
// memory.
#include <cstdio>
__global__ void count(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    int n = __syncthreads_count(s[t] > 20);
    int any = __syncthreads_or(s[127 - t] == 5);
    int all = __syncthreads_and(n > 0);
    n += __syncthreads_count(t & 1);
    out[t] = n + any + all;
}
int main() {
    int h[128], *in, *out;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    count<<<1, 128>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
