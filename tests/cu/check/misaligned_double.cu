// check: sm_60 misaligned @put
// check: sm_90 misaligned @put
// Records of 12 bytes hold an int and a double; every other double lies off a multiple of 8.
#include <cstdio>
#define SIZE 12
#define AT 4
__global__ void fill(char* records) {
    char* r = records + SIZE * threadIdx.x;
    *(int*)r = threadIdx.x;
    *(double*)(r + AT) = 0.5 * threadIdx.x;  // @put
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
