// A matrix times a vector: a thread a row, a warp a row, a block a row in float4; and the transposed matrix times
// a vector, a thread a column.
#include "common.h"

__global__ void row_thread(const float *a, const float *x, float *y, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int c = 0; c < columns; c++)
        sum += a[row * columns + c] * x[c];
    y[row] = sum;
}

__global__ void row_warp(const float *a, const float *x, float *y, int rows, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int c = lane; c < columns; c += 32)
        sum += a[row * columns + c] * x[c];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[row] = sum;
}

__global__ void row_block(const float4 *__restrict__ a, const float4 *__restrict__ x, float *y,
                          int columns4)
{
    __shared__ float part[256];
    const float4 *row = a + blockIdx.x * columns4;
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int c = t; c < columns4; c += blockDim.x) {
        const float4 u = row[c], v = x[c];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    part[t] = sum;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = part[0];
}

__global__ void column_thread(const float *a, const float *x, float *y, int rows, int columns)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns)
        return;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += a[row * columns + c] * x[row];
    y[c] = sum;
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 256), 4) * 4,
              rounds = argument(argc, argv, 2, 1);
    const std::vector<float> a = units(n * n, 1), x = units(n, 2);
    std::vector<float> by_row(n), by_column(n);
    for (int i = 0; i < n * n; i++) {
        by_row[i / n] += a[i] * x[i % n];
        by_column[i % n] += a[i] * x[i / n];
    }
    float *da = to_device(a), *dx = to_device(x), *y[4];
    for (int k = 0; k < 4; k++)
        y[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        row_thread<<<ceil_div(n, 64), 64>>>(da, dx, y[0], n, n);
        row_warp<<<ceil_div(n, 8), 256>>>(da, dx, y[1], n, n);
        row_block<<<n, 256>>>((const float4 *)da, (const float4 *)dx, y[2], n / 4);
        column_thread<<<ceil_div(n, 64), 64>>>(da, dx, y[3], n, n);
    }
    expect("row_thread", y[0], by_row, 1e-4);
    expect("row_warp", y[1], by_row, 1e-4);
    expect("row_block", y[2], by_row, 1e-4);
    expect("column_thread", y[3], by_column, 1e-4);
    return verdict();
}
