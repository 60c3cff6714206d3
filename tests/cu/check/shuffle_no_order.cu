// check: sm_60 nothing
// check: sm_90 shared_read_write @put @get
// A shuffle moves values between lanes but does not order memory; from sm_70 on the neighbour's
// store is not ordered with the load.
#include <cstdio>
__global__ void swapLanes(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = 10 * t;  // @put
    int first = __shfl_sync(0xffffffffu, t + 5, 0);
    int got = s[t ^ 1];  // @get
    out[t] = got + first;
}
int main() {
    int *out, h[32];
    cudaMalloc(&out, sizeof h);
    swapLanes<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
