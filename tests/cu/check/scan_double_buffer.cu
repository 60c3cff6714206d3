// check: sm_60 shared_read_write @step @step
// check: sm_90 shared_read_write @step @step
// Two buffers do not replace the barrier of the loop: a step reads what the step before stored,
// and stores what the step before read.
#include <cstdio>
#define B 128
__global__ void scan(const int* in, int* out) {
    __shared__ int s[2][B];
    int t = threadIdx.x, p = 0;
    s[0][t] = in[t];
    s[1][t] = 0;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        s[1 - p][t] = s[p][t] + (t >= d ? s[p][t - d] : 0);  // @step
        p = 1 - p;
    }
    out[t] = s[p][t];
}
int main() {
    int h[B], *in, *out;
    for (int i = 0; i < B; i++) h[i] = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<1, B>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[B - 1]);
    return 0;
}
