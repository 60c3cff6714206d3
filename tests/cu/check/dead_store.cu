// check: sm_60 shared_write_write @put @put
// check: sm_60 shared_write_write @put @same
// check: sm_90 shared_write_write @put @put
// check: sm_90 shared_write_write @put @same
// Every thread stores its own number to one word, and then all the same: a compiler may leave the first
// store out, and the program has it.
#include <cstdio>
__global__ void last(int* out) {
    __shared__ int s;
    s = (int)threadIdx.x;  // @put
    s = 7;  // @same
    __syncthreads();
    out[threadIdx.x] = s;
}
int main() {
    int *out, h;
    cudaMalloc(&out, 64 * sizeof(int));
    last<<<1, 64>>>(out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return 0;
}
