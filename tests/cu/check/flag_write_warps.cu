// check: sm_60 shared_write_write @set @set
// check: sm_90 shared_write_write @set @set
// The first lanes of four warps store different values into one shared word in one barrier
// interval.
#include <cstdio>
__global__ void mark(int* out) {
    __shared__ int last;
    int t = threadIdx.x;
    if (t == 0) last = -1;
    __syncthreads();
    if (t % 32 == 0)
        last = t / 32;  // @set
    __syncthreads();
    out[t] = last;
}
int main() {
    int h[128], *out;
    cudaMalloc(&out, sizeof h);
    mark<<<1, 128>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
