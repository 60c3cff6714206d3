// check: sm_60 shared_read_write @b @use
// check: sm_90 shared_read_write @a @use
// check: sm_90 shared_read_write @b @use
// The next tile may be filled while another warp still uses this one; a row of As stays within a
// warp, so before sm_70 only Bs is at risk.
#include <cstdio>
#define N 48
#define T 16
__global__ void matmul(const float* A, const float* B, float* C) {
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int t = 0; t < N / T; t++) {
        As[ty][tx] = A[row * N + t * T + tx];    // @a
        Bs[ty][tx] = B[(t * T + ty) * N + col];  // @b
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty][k] * Bs[k][tx];  // @use
    }
    C[row * N + col] = sum;
}
int main() {
    static float h[N * N];
    for (int i = 0; i < N * N; i++) h[i] = (float)(i % 5);
    float *a, *b, *c;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    matmul<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b, c);
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[5]);
    return 0;
}
