// check: sm_60 nothing
// check: sm_90 nothing
// One barrier between filling the tiles and using them, one before the next fill.
#include <cstdio>
#define N 32
#define T 16
__global__ void matmul(const float* A, const float* B, float* C) {
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    As[ty][tx] = 0;
    Bs[ty][tx] = 0;
    __syncthreads();
    for (int t = 0; t < N / T; t++) {
        As[ty][tx] = A[row * N + t * T + tx];
        Bs[ty][tx] = B[(t * T + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
int main() {
    static float h[N * N];
    for (int i = 0; i < N * N; i++) h[i] = (float)(i % 7);
    float *a, *b, *c;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    matmul<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b, c);
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[5]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
