// check: sm_60 nothing
// check: sm_90 shared_read_write @ld @st
// Only one __syncwarp a step, after the store; the load of s[t + k] and the store to the same
// word by lane t + k in the same step stay unordered from sm_70 on.
#include <cstdio>
__global__ void reduce(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    __syncthreads();
    volatile int* v = s;
    int sum = v[t];
    for (int k = 32; k > 0; k >>= 1) {
        sum += v[t + k];  // @ld
        v[t] = sum;  // @st
        __syncwarp();
    }
    if (t == 0) *out = sum;
}
int main() {
    int h[64];
    for (int i = 0; i < 64; i++) h[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
