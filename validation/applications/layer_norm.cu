// Rows brought to mean 0 and variance 1: a thread a row, a block a row in two passes, a warp a row in float4 that
// stays in registers, and the sums of the gradient over rows.
#include "common.h"

#define COLUMNS 512

__global__ void norm_thread(const float *in, const float *gain, const float *bias, float *out,
                            int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float mean = 0.0f, square = 0.0f;
    for (int c = 0; c < COLUMNS; c++) {
        const float v = in[row * COLUMNS + c];
        mean += v;
        square += v * v;
    }
    mean /= COLUMNS;
    const float scale = rsqrtf(square / COLUMNS - mean * mean + 1e-5f);
    for (int c = 0; c < COLUMNS; c++)
        out[row * COLUMNS + c] = (in[row * COLUMNS + c] - mean) * scale * gain[c] + bias[c];
}

__device__ float block_sum(float value, float *part)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0.0f;
    for (int w = 0; w < (int)blockDim.x / 32; w++)
        value += part[w];
    return value;
}

__global__ void norm_block(const float *in, const float *gain, const float *bias, float *out)
{
    __shared__ float part[32];
    const float *row = in + blockIdx.x * COLUMNS;
    float sum = 0.0f, square = 0.0f;
    for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
        sum += row[c];
    const float mean = block_sum(sum, part) / COLUMNS;
    for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
        square += (row[c] - mean) * (row[c] - mean);
    const float scale = rsqrtf(block_sum(square, part) / COLUMNS + 1e-5f);
    for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x)
        out[blockIdx.x * COLUMNS + c] = (row[c] - mean) * scale * gain[c] + bias[c];
}

__global__ void norm_warp(const float4 *__restrict__ in, const float4 *__restrict__ gain,
                          const float4 *__restrict__ bias, float4 *__restrict__ out, int rows)
{
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float4 v[COLUMNS / 128];
    float sum = 0.0f, square = 0.0f;
#pragma unroll
    for (int k = 0; k < COLUMNS / 128; k++) {
        v[k] = in[row * (COLUMNS / 4) + k * 32 + lane];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
        square += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
        square += __shfl_xor_sync(0xffffffffu, square, step);
    }
    const float mean = sum / COLUMNS, scale = rsqrtf(square / COLUMNS - mean * mean + 1e-5f);
#pragma unroll
    for (int k = 0; k < COLUMNS / 128; k++) {
        const float4 g = gain[k * 32 + lane], b = bias[k * 32 + lane];
        out[row * (COLUMNS / 4) + k * 32 + lane] =
            make_float4((v[k].x - mean) * scale * g.x + b.x, (v[k].y - mean) * scale * g.y + b.y,
                        (v[k].z - mean) * scale * g.z + b.z, (v[k].w - mean) * scale * g.w + b.w);
    }
}

__global__ void gradient_of_bias(const float *upstream, float *gradient, int rows,
                                 int rows_of_block)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * rows_of_block;
    float sum = 0.0f;
    for (int row = first; row < min(first + rows_of_block, rows); row++)
        sum += upstream[row * COLUMNS + c];
    atomicAdd(&gradient[c], sum);
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 128), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units((size_t)rows * COLUMNS, 1), gain = units(COLUMNS, 2),
                             bias = units(COLUMNS, 3);
    std::vector<float> want(in.size()), sums(COLUMNS);
    for (int row = 0; row < rows; row++) {
        const float *v = &in[(size_t)row * COLUMNS];
        double mean = 0, square = 0;
        for (int c = 0; c < COLUMNS; c++) {
            mean += v[c] / COLUMNS;
            sums[c] += v[c];
        }
        for (int c = 0; c < COLUMNS; c++)
            square += (v[c] - mean) * (v[c] - mean) / COLUMNS;
        for (int c = 0; c < COLUMNS; c++)
            want[(size_t)row * COLUMNS + c] =
                (float)((v[c] - mean) / sqrt(square + 1e-5) * gain[c] + bias[c]);
    }
    float *din = to_device(in), *dgain = to_device(gain), *dbias = to_device(bias);
    float *a = device_zeros<float>(in.size()), *b = device_zeros<float>(in.size());
    float *c = device_zeros<float>(in.size()), *gradient = device_zeros<float>(COLUMNS);
    for (int round = 0; round < rounds; round++) {
        norm_thread<<<ceil_div(rows, 64), 64>>>(din, dgain, dbias, a, rows);
        norm_block<<<rows, 128>>>(din, dgain, dbias, b);
        norm_warp<<<ceil_div(rows, 4), 128>>>((const float4 *)din, (const float4 *)dgain,
                                              (const float4 *)dbias, (float4 *)c, rows);
        fill_array<<<COLUMNS / 256, 256>>>(gradient, 0.0f, COLUMNS);
        gradient_of_bias<<<dim3(COLUMNS / 128, ceil_div(rows, 32)), 128>>>(din, gradient, rows, 32);
    }
    expect("norm_thread", a, want, 1e-3);
    expect("norm_block", b, want, 1e-4);
    expect("norm_warp", c, want, 1e-3);
    expect("gradient_of_bias", gradient, sums, 1e-4);
    return verdict();
}
