// check: sm_60 barrier_not_reached @bar
// check: sm_90 barrier_not_reached @bar
// The counting barrier stands in a branch that only the first three warps take.
#include <cstdio>
__global__ void count(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    int n = __syncthreads_count(s[t] > 20);
    int any = __syncthreads_or(s[127 - t] == 5);
    int all = __syncthreads_and(n > 0);
    if (t < 96) n += __syncthreads_count(t & 1);  // @bar
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
