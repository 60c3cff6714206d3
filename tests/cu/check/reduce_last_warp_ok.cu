// check: sm_60 nothing
// check: sm_90 nothing
// Loads and stores of each step are separated by __syncwarp, which is right on every generation.
#include <cstdio>
__global__ void reduce(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        int sum = s[t];
        for (int k = 32; k > 0; k >>= 1) {
            sum += s[t + k];
            __syncwarp();
            s[t] = sum;
            __syncwarp();
        }
        if (t == 0) out[blockIdx.x] = sum;
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
