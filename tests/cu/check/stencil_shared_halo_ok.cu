// check: sm_60 nothing
// check: sm_90 nothing
// A barrier stands between the fill with its halo and the sums.
#include <cstdio>
#define B 64
__global__ void smooth(const int* in, int* out, int n) {
    __shared__ int s[B + 2];
    int t = threadIdx.x, first = blockIdx.x * B, i = first + t;
    s[t + 1] = 0;
    if (t < 2) s[t * (B + 1)] = 0;
    __syncthreads();
    s[t + 1] = in[i];
    if (t < 2) {
        int j = t == 0 ? first - 1 : first + B;
        int v = j >= 0 && j < n ? in[j] : 0;
        s[t * (B + 1)] = v;
    }
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
int main() {
    int h[2 * B], *in, *out;
    for (int i = 0; i < 2 * B; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    smooth<<<2, B>>>(in, out, 2 * B);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[100]);
    return 0;
}
