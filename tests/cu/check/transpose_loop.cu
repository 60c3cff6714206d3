// check: sm_60 shared_read_write @in @out
// check: sm_90 shared_read_write @in @out
// A block handles two tiles; nothing keeps the rows of the second from overwriting the first
// while other warps still read its columns.
#include <cstdio>
#define T 16
#define N 32
__global__ void transpose(const float* a, float* b) {
    __shared__ float tile[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < N / T; k++) {
        tile[y][x] = a[(blockIdx.x * T + y) * N + k * T + x];  // @in
        __syncthreads();
        b[(k * T + y) * N + blockIdx.x * T + x] = tile[x][y];  // @out
    }
}
int main() {
    static float h[N * N];
    for (int i = 0; i < N * N; i++) h[i] = (float)i;
    float *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    transpose<<<2, dim3(T, T)>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[1]);
    return 0;
}
