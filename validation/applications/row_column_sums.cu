// Sums of a matrix's rows and columns: a thread a row, a block a row, a thread a column, tiles of columns in shared
// memory, and columns cut into pieces with atomics.
#include "common.h"

__global__ void rows_thread(const float *a, float *sums, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int c = 0; c < n; c++)
        sum += a[row * n + c];
    sums[row] = sum;
}

__global__ void rows_block(const float *a, float *sums, int n)
{
    __shared__ float part[4];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += blockDim.x)
        sum += a[blockIdx.x * n + c];
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if ((threadIdx.x & 31) == 0)
        part[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

__global__ void columns_thread(const float *a, float *sums, int n)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    float sum = 0.0f;
    for (int row = 0; row < n; row++)
        sum += a[row * n + c];
    sums[c] = sum;
}

// 32 columns a block, 16 rows at a time.
__global__ void columns_tile(const float *a, float *sums, int n)
{
    __shared__ float part[16][33];
    const int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    if (c < n)
        for (int row = threadIdx.y; row < n; row += 16)
            sum += a[row * n + c];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && c < n) {
        for (int k = 1; k < 16; k++)
            sum += part[k][threadIdx.x];
        sums[c] = sum;
    }
}

__global__ void columns_atomic(const float *a, float *sums, int n, int rows_of_block)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * rows_of_block;
    if (c >= n)
        return;
    float sum = 0.0f;
    for (int row = first; row < min(first + rows_of_block, n); row++)
        sum += a[row * n + c];
    atomicAdd(&sums[c], sum);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> a = units((size_t)n * n, 1);
    std::vector<float> rows(n), columns(n);
    for (int i = 0; i < n * n; i++) {
        rows[i / n] += a[i];
        columns[i % n] += a[i];
    }
    float *da = to_device(a), *sums[5];
    for (int k = 0; k < 5; k++)
        sums[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        rows_thread<<<ceil_div(n, 128), 128>>>(da, sums[0], n);
        rows_block<<<n, 128>>>(da, sums[1], n);
        columns_thread<<<ceil_div(n, 128), 128>>>(da, sums[2], n);
        columns_tile<<<ceil_div(n, 32), dim3(32, 16)>>>(da, sums[3], n);
        fill_array<<<ceil_div(n, 256), 256>>>(sums[4], 0.0f, n);
        columns_atomic<<<dim3(ceil_div(n, 256), ceil_div(n, 64)), 256>>>(da, sums[4], n, 64);
    }
    expect("rows_thread", sums[0], rows, 1e-4);
    expect("rows_block", sums[1], rows, 1e-4);
    expect("columns_thread", sums[2], columns, 1e-4);
    expect("columns_tile", sums[3], columns, 1e-4);
    expect("columns_atomic", sums[4], columns, 1e-4);
    return verdict();
}
