// Softmax of rows: a thread a row, a block a row, a warp a row with a running maximum, and its gradient.
#include "common.h"

__global__ void softmax_thread(const float *in, float *out, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *x = in + row * columns;
    float top = x[0], sum = 0.0f;
    for (int c = 1; c < columns; c++)
        top = fmaxf(top, x[c]);
    for (int c = 0; c < columns; c++)
        sum += expf(x[c] - top);
    for (int c = 0; c < columns; c++)
        out[row * columns + c] = expf(x[c] - top) / sum;
}

__global__ void softmax_block(const float *in, float *out, int columns)
{
    extern __shared__ float row[];
    __shared__ float part[128];
    const int t = threadIdx.x;
    float top = -1e30f, sum = 0.0f;
    for (int c = t; c < columns; c += blockDim.x) {
        row[c] = in[blockIdx.x * columns + c];
        top = fmaxf(top, row[c]);
    }
    part[t] = top;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            part[t] = fmaxf(part[t], part[t + step]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    for (int c = t; c < columns; c += blockDim.x) {
        row[c] = expf(row[c] - top);
        sum += row[c];
    }
    part[t] = sum;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    const float scale = 1.0f / part[0];
    for (int c = t; c < columns; c += blockDim.x)
        out[blockIdx.x * columns + c] = row[c] * scale;
}

__global__ void softmax_warp(const float *__restrict__ in, float *__restrict__ out, int rows,
                             int columns)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows)
        return;
    const float *x = in + row * columns;
    float top = -1e30f, sum = 0.0f;
    for (int c = lane; c < columns; c += 32) {
        const float higher = fmaxf(top, x[c]);
        sum = sum * __expf(top - higher) + __expf(x[c] - higher);
        top = higher;
    }
    for (int step = 16; step > 0; step /= 2) {
        const float other_top = __shfl_xor_sync(0xffffffffu, top, step);
        const float other_sum = __shfl_xor_sync(0xffffffffu, sum, step);
        const float higher = fmaxf(top, other_top);
        sum = sum * __expf(top - higher) + other_sum * __expf(other_top - higher);
        top = higher;
    }
    for (int c = lane; c < columns; c += 32)
        out[row * columns + c] = __expf(x[c] - top) / sum;
}

__global__ void softmax_gradient(const float *out, const float *upstream, float *gradient,
                                 int columns)
{
    __shared__ float warps[4];
    const float *y = out + blockIdx.x * columns, *g = upstream + blockIdx.x * columns;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        sum += y[c] * g[c];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = warps[0] + warps[1] + warps[2] + warps[3];
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        gradient[blockIdx.x * columns + c] = y[c] * (g[c] - sum);
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1),
              columns = 1000;
    const size_t n = (size_t)rows * columns;
    const std::vector<float> in = units(n, 1), upstream = units(n, 2);
    std::vector<float> want(n), gradient(n);
    for (int row = 0; row < rows; row++) {
        const size_t at = (size_t)row * columns;
        double sum = 0, along = 0;
        for (int c = 0; c < columns; c++)
            sum += exp(in[at + c]);
        for (int c = 0; c < columns; c++) {
            want[at + c] = (float)(exp(in[at + c]) / sum * columns);
            along += exp(in[at + c]) / sum * upstream[at + c];
        }
        for (int c = 0; c < columns; c++)
            gradient[at + c] = (float)(want[at + c] * (upstream[at + c] - along));
    }
    float *din = to_device(in), *dup = to_device(upstream), *out[4];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        softmax_thread<<<ceil_div(rows, 64), 64>>>(din, out[0], rows, columns);
        softmax_block<<<rows, 128, columns * sizeof(float)>>>(din, out[1], columns);
        softmax_warp<<<ceil_div(rows, 4), dim3(32, 4)>>>(din, out[2], rows, columns);
        softmax_gradient<<<rows, 128>>>(out[1], dup, out[3], columns);
    }
    for (int k = 0; k < 4; k++) {
        const std::vector<float> got = to_host(out[k], n), &right = k < 3 ? want : gradient;
        for (size_t i = 0; i < n; i++)
            if (fabsf(got[i] * columns - right[i]) > 1e-3f) {
                printf("form %d: element %zu is %g, not %g\n", k, i, got[i] * columns, right[i]);
                wrong_arrays++;
                break;
            }
    }
    return verdict();
}
