// check: sm_60 shared_read_write @swap @out
// check: sm_90 shared_read_write @swap @out
// The barrier stands at the head of the loop, so none separates the last exchange from the
// output, which reads in the opposite order (other warps' words).
#include <cstdio>
#define B 128
__global__ void sortDown(const int* in, int* out) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int k = 2; k <= B; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int u = t ^ j;
            if (u > t) {
                int lo = min(s[t], s[u]), hi = max(s[t], s[u]);
                bool up = (t & k) == 0;
                s[t] = up ? lo : hi, s[u] = up ? hi : lo;  // @swap
            }
        }
    out[t] = s[B - 1 - t];  // @out
}
int main() {
    int h[B], *in, *out;
    for (int i = 0; i < B; i++) h[i] = i * 37 % 101;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sortDown<<<1, B>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[B - 1]);
    return 0;
}
