// check: sm_60 nothing
// check: sm_90 nothing
// One block shifts an array in place by way of a barrier: all loads come before it and all stores
// after it.
#include <cstdio>
__global__ void shift(int* a) {
    int t = threadIdx.x;
    int v = a[(t + 1) % 128];
    __syncthreads();
    a[t] = v;
}
int main() {
    int h[128], *a;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    shift<<<1, 128>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[127]);
    return 0;
}
