// check: sm_60 nothing
// check: sm_90 nothing
// __syncwarp orders the store and the load of the lanes.
#include <cstdio>
__global__ void swapLanes(int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = 10 * t;
    int first = __shfl_sync(0xffffffffu, t + 5, 0);
    __syncwarp();
    int got = s[t ^ 1];
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
