// check: sm_60 nothing
// check: sm_90 nothing
// Records of 16 bytes with the double 8 bytes in.
#include <cstdio>
#define SIZE 16
#define AT 8
__global__ void fill(char* records) {
    char* r = records + SIZE * threadIdx.x;
    *(int*)r = threadIdx.x;
    *(double*)(r + AT) = 0.5 * threadIdx.x;
}
int main() {
    char h[32 * SIZE], *records;
    cudaMalloc(&records, sizeof h);
    cudaMemset(records, 0, sizeof h);
    fill<<<1, 32>>>(records);
    cudaMemcpy(h, records, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
