// check: sm_60 nothing
// check: sm_90 nothing
// A barrier between the rows going in and the columns coming out.
#include <cstdio>
#define T 16
#define N 32
__global__ void transpose(const float* a, float* b) {
    __shared__ float tile[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = 0;
    __syncthreads();
    tile[y][x] = a[(blockIdx.y * T + y) * N + blockIdx.x * T + x];
    __syncthreads();
    b[(blockIdx.x * T + y) * N + blockIdx.y * T + x] = tile[x][y];
}
int main() {
    static float h[N * N];
    for (int i = 0; i < N * N; i++) h[i] = (float)i;
    float *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    transpose<<<dim3(2, 2), dim3(T, T)>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[1]);
    return 0;
}
