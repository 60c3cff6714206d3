// check: sm_60 shared_read_write @main @sum
// check: sm_60 shared_read_write @halo @sum
// check: sm_90 shared_read_write @main @sum
// check: sm_90 shared_read_write @halo @sum
// No barrier after the fill: neighbours of another warp are read (main part), and the last thread
// reads the right halo that thread 1 loads. The left halo is stored and read by thread 0 alone.
// The array is cleared first.
#include <cstdio>
#define B 64
__global__ void smooth(const int* in, int* out, int n) {
    __shared__ int s[B + 2];
    int t = threadIdx.x, first = blockIdx.x * B, i = first + t;
    s[t + 1] = 0;
    if (t < 2) s[t * (B + 1)] = 0;
    __syncthreads();
    s[t + 1] = in[i];  // @main
    if (t < 2) {
        int j = t == 0 ? first - 1 : first + B;
        int v = j >= 0 && j < n ? in[j] : 0;
        s[t * (B + 1)] = v;  // @halo
    }
    out[i] = s[t] + s[t + 1] + s[t + 2];  // @sum
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
