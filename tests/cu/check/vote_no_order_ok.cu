// check: sm_60 nothing
// check: sm_90 nothing
// __syncwarp stands between the store and the load.
#include <cstdio>
__global__ void reverse(const int* in, int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    int v = in[t];
    s[t] = v;
    unsigned odd = __ballot_sync(0xffffffffu, v & 1);
    __syncwarp();
    int got = s[31 - t];
    out[t] = got + __popc(odd);
}
int main() {
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++) h[i] = 3 * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
