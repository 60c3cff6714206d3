// check: sm_60 nothing
// check: sm_90 shared_read_write @step @step
// Warp-synchronous code with volatile but no __syncwarp: in step before sm_70, a race of the
// lanes from sm_70 on. Every word is written by one lane only.
#include <cstdio>
__global__ void reduce(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        volatile int* v = s;
        for (int k = 32; k > 0; k >>= 1)
            v[t] = v[t] + v[t + k];  // @step
        if (t == 0) out[blockIdx.x] = v[0];
    }
}
int main() {
    int h[128];
    for (int i = 0; i < 128; i++) h[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<<<2, 64>>>(in, out);
    cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
