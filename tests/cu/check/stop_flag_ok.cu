// check: sm_60 nothing
// check: sm_90 nothing
// The flag is volatile on both sides and carries no other data, so it needs no order.
#include <cstdio>
__global__ void work(const int* in, volatile int* stop, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int seen = 0;
    if (in[i] == 100)
        *stop = 1;
    else
        seen = *stop;
    out[i] = seen;
}
int main() {
    int h[128], *in, *stop, *out;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&stop, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(stop, 0, sizeof(int));
    work<<<4, 32>>>(in, stop, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[100]);
    return 0;
}
