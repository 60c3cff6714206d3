// check: sm_60 shared_read_write @in @out
// check: sm_90 shared_read_write @in @out
// Rows are stored and columns read with no barrier between, and a column crosses all warps. The
// tile is cleared first, so that only the order is wrong.
#include <cstdio>
#define T 16
#define N 32
__global__ void transpose(const float* a, float* b) {
    __shared__ float tile[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = 0;
    __syncthreads();
    tile[y][x] = a[(blockIdx.y * T + y) * N + blockIdx.x * T + x];  // @in
    b[(blockIdx.x * T + y) * N + blockIdx.y * T + x] = tile[x][y];  // @out
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
