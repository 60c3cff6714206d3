// index_swap_fixed.cu - the same: threadIdx.x counts columns now, threadIdx.y rows.
#include <cstdio>
#include <cstdlib>

const int M = 192, K = 96, N = 256; // a is M x K, b is K x N

__global__ void multiply(const float *a, const float *b, float *c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + col];
    c[row * N + col] = sum;
}

int main()
{
    float *a = (float *)malloc(M * K * sizeof(float));
    float *b = (float *)malloc(K * N * sizeof(float));
    float *c = (float *)malloc(M * N * sizeof(float));
    for (int i = 0; i < M * K; i++)
        a[i] = i % 7;
    for (int i = 0; i < K * N; i++)
        b[i] = i % 5;
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, M * K * sizeof(float));
    cudaMalloc(&d_b, K * N * sizeof(float));
    cudaMalloc(&d_c, M * N * sizeof(float));
    cudaMemcpy(d_a, a, M * K * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, K * N * sizeof(float), cudaMemcpyHostToDevice);

    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    multiply<<<grid, block>>>(d_a, d_b, d_c);

    cudaMemcpy(c, d_c, M * N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < M; row++)
        for (int col = 0; col < N; col++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[row * K + k] * b[k * N + col];
            if (c[row * N + col] != sum) {
                printf("wrong at row %d, column %d\n", row, col);
                return 1;
            }
        }
    printf("correct\n");
    return 0;
}
