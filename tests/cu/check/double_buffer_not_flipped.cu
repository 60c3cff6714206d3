// check: sm_60 shared_read_write @fill @use
// check: sm_90 shared_read_write @fill @use
// There is a barrier a step, but the next piece goes into the buffer that is being read instead
// of the other one.
#include <cstdio>
#define B 64
#define STEPS 4
__global__ void sums(const int* in, int* out) {
    __shared__ int buf[2][B];
    int t = threadIdx.x, acc = 0;
    buf[0][t] = in[t];
    buf[1][t] = in[t];
    __syncthreads();
    for (int k = 0; k < STEPS; k++) {
        acc += (k + 1) * buf[k & 1][(t + 32) % B];  // @use
        if (k + 1 < STEPS)
            buf[k & 1][t] = in[(k + 1) * B + t];  // @fill
        __syncthreads();
    }
    out[t] = acc;
}
int main() {
    int h[B * STEPS], *in, *out;
    for (int i = 0; i < B * STEPS; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, B * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, B>>>(in, out);
    cudaMemcpy(h, out, B * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    return 0;
}
