// check: sm_60 global_read_write @set @look
// check: sm_90 global_read_write @set @look
// One thread sets a stop flag that threads of other blocks read in the same launch, all plainly.
#include <cstdio>
__global__ void work(const int* in, int* stop, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int seen = 0;
    if (in[i] == 100)
        *stop = 1;  // @set
    else
        seen = *stop;  // @look
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
