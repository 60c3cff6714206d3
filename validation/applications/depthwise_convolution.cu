// Depthwise convolutions of a mobile network, 64 channels, zeros around: NCHW 3x3 a thread an output, tiles in shared
// memory, a thread a column of outputs with rows in registers; NHWC by float4 of channels, one output and four
// neighbouring outputs a thread; NCHW 5x5 of stride 2 with bias and clipping.
#include "common.h"

#define CHANNELS 64

__global__ void nchw_plain(const float *in, const float *weight, float *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int yy = y + i - 1, xx = x + j - 1;
            if (yy >= 0 && yy < height && xx >= 0 && xx < width)
                sum += in[(c * height + yy) * width + xx] * weight[c * 9 + i * 3 + j];
        }
    out[(c * height + y) * width + x] = sum;
}

#define TILE_X 32
#define TILE_Y 8

__global__ void nchw_tile(const float *__restrict__ in, const float *__restrict__ weight,
                          float *__restrict__ out, int height, int width)
{
    __shared__ float tile[TILE_Y + 2][TILE_X + 2];
    __shared__ float w[9];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * TILE_X + tx;
    const int x0 = blockIdx.x * TILE_X, y0 = blockIdx.y * TILE_Y, c = blockIdx.z;
    const float *plane = in + (size_t)c * height * width;
    if (t < 9)
        w[t] = weight[c * 9 + t];
    for (int k = t; k < (TILE_Y + 2) * (TILE_X + 2); k += TILE_X * TILE_Y) {
        const int r = k / (TILE_X + 2), q = k % (TILE_X + 2);
        const int y = y0 + r - 1, x = x0 + q - 1;
        tile[r][q] = y >= 0 && y < height && x >= 0 && x < width ? plane[y * width + x] : 0.0f;
    }
    __syncthreads();
    if (x0 + tx >= width || y0 + ty >= height)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++)
            sum += tile[ty + i][tx + j] * w[i * 3 + j];
    out[((size_t)c * height + y0 + ty) * width + x0 + tx] = sum;
}

__device__ __forceinline__ float3 three(const float *plane, int y, int x, int height, int width)
{
    if (y < 0 || y >= height)
        return make_float3(0.0f, 0.0f, 0.0f);
    const float *p = plane + y * width + x;
    return make_float3(x > 0 ? __ldg(p - 1) : 0.0f, __ldg(p), x + 1 < width ? __ldg(p + 1) : 0.0f);
}

__device__ __forceinline__ float dot3(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// ROWS outputs below one another: each input row is read once and used three times.
template <int ROWS>
__global__ void nchw_column(const float *__restrict__ in, const float *__restrict__ weight,
                            float *__restrict__ out, int height, int width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.z;
    const int y0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (x >= width || y0 >= height)
        return;
    const float *plane = in + (size_t)c * height * width;
    float *to = out + (size_t)c * height * width;
    float3 w[3];
#pragma unroll
    for (int i = 0; i < 3; i++)
        w[i] = make_float3(weight[c * 9 + 3 * i], weight[c * 9 + 3 * i + 1],
                           weight[c * 9 + 3 * i + 2]);
    float3 above = three(plane, y0 - 1, x, height, width);
    float3 here = three(plane, y0, x, height, width);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float3 below = three(plane, y0 + r + 1, x, height, width);
        if (y0 + r < height)
            to[(y0 + r) * width + x] = dot3(above, w[0]) + dot3(here, w[1]) + dot3(below, w[2]);
        above = here;
        here = below;
    }
}

__device__ __forceinline__ void multiply_add(float4 &sum, float4 a, float4 b)
{
    sum.x = fmaf(a.x, b.x, sum.x);
    sum.y = fmaf(a.y, b.y, sum.y);
    sum.z = fmaf(a.z, b.z, sum.z);
    sum.w = fmaf(a.w, b.w, sum.w);
}

// The channel is the fastest index; weights are [3][3][CHANNELS].
template <int OUTPUTS>
__global__ void nhwc_vector(const float4 *__restrict__ in, const float4 *__restrict__ weight,
                            float4 *__restrict__ out, int height, int width)
{
    const int c = threadIdx.x, y = blockIdx.y;
    const int x0 = (blockIdx.x * blockDim.y + threadIdx.y) * OUTPUTS;
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 sums[OUTPUTS];
#pragma unroll
    for (int k = 0; k < OUTPUTS; k++)
        sums[k] = zero;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const int yy = y + i - 1;
        if (yy < 0 || yy >= height)
            continue;
        float4 row[OUTPUTS + 2];
#pragma unroll
        for (int k = 0; k < OUTPUTS + 2; k++) {
            const int xx = x0 + k - 1;
            row[k] = xx >= 0 && xx < width ? in[(yy * width + xx) * (CHANNELS / 4) + c] : zero;
        }
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const float4 w = weight[(i * 3 + j) * (CHANNELS / 4) + c];
#pragma unroll
            for (int k = 0; k < OUTPUTS; k++)
                multiply_add(sums[k], row[k + j], w);
        }
    }
#pragma unroll
    for (int k = 0; k < OUTPUTS; k++)
        if (x0 + k < width)
            out[(y * width + x0 + k) * (CHANNELS / 4) + c] = sums[k];
}

// Grid-stride over all outputs; SIDE and STRIDE are known to the compiler.
template <int SIDE, int STRIDE>
__global__ void nchw_strided(const float *__restrict__ in, const float *__restrict__ weight,
                             const float *__restrict__ bias, float *__restrict__ out, int height,
                             int width, int out_height, int out_width)
{
    const int total = CHANNELS * out_height * out_width;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        const int x = i % out_width, y = i / out_width % out_height, c = i / out_width / out_height;
        const int x0 = x * STRIDE - SIDE / 2, y0 = y * STRIDE - SIDE / 2;
        float sum = bias[c];
#pragma unroll
        for (int r = 0; r < SIDE; r++)
#pragma unroll
            for (int q = 0; q < SIDE; q++)
                if (y0 + r >= 0 && y0 + r < height && x0 + q >= 0 && x0 + q < width)
                    sum += __ldg(&in[(c * height + y0 + r) * width + x0 + q]) *
                           __ldg(&weight[c * SIDE * SIDE + r * SIDE + q]);
        out[i] = fminf(fmaxf(sum, 0.0f), 6.0f);
    }
}

// One output in double; zeros outside.
static double one(const float *plane, const float *w, int side, int y0, int x0, int height,
                  int width)
{
    double sum = 0;
    for (int r = std::max(0, -y0); r < std::min(side, height - y0); r++)
        for (int q = std::max(0, -x0); q < std::min(side, width - x0); q++)
            sum += (double)plane[(y0 + r) * width + x0 + q] * w[r * side + q];
    return sum;
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 14), rounds = argument(argc, argv, 2, 1);
    const int height = size, width = size, half = ceil_div(size, 2), area = size * size,
              n = CHANNELS * area, n2 = CHANNELS * half * half;
    const std::vector<float> in = units(n, 1), w3 = units(CHANNELS * 9, 2),
                             w5 = units(CHANNELS * 25, 3), bias = units(CHANNELS, 4);
    std::vector<float> nhwc(n), w3_nhwc(CHANNELS * 9), out(n), out_nhwc(n), out5(n2);
    for (int c = 0; c < CHANNELS; c++) {
        const float *plane = &in[(size_t)c * area];
        for (int k = 0; k < 9; k++)
            w3_nhwc[k * CHANNELS + c] = w3[c * 9 + k];
        for (int p = 0; p < area; p++) {
            const int y = p / width, x = p % width;
            nhwc[(size_t)p * CHANNELS + c] = plane[p];
            out[(size_t)c * area + p] = out_nhwc[(size_t)p * CHANNELS + c] =
                (float)one(plane, &w3[c * 9], 3, y - 1, x - 1, height, width);
        }
        for (int p = 0; p < half * half; p++) {
            const double sum = bias[c] + one(plane, &w5[c * 25], 5, p / half * 2 - 2,
                                             p % half * 2 - 2, height, width);
            out5[(size_t)c * half * half + p] = (float)std::min(std::max(sum, 0.0), 6.0);
        }
    }
    const float *din = to_device(in), *dnhwc = to_device(nhwc), *dw3 = to_device(w3),
                *dw3_nhwc = to_device(w3_nhwc), *dw5 = to_device(w5), *dbias = to_device(bias);
    float *a[5], *b = device_zeros<float>(n2);
    for (int k = 0; k < 5; k++)
        a[k] = device_zeros<float>(n);
    const dim3 tiles(ceil_div(width, TILE_X), ceil_div(height, TILE_Y), CHANNELS),
        columns(ceil_div(width, 32), ceil_div(height, 4 * 8), CHANNELS),
        pixels(ceil_div(width, 8), height), fours(ceil_div(width, 8 * 4), height);
    for (int round = 0; round < rounds; round++) {
        nchw_plain<<<tiles, dim3(TILE_X, TILE_Y)>>>(din, dw3, a[0], height, width);
        nchw_tile<<<tiles, dim3(TILE_X, TILE_Y)>>>(din, dw3, a[1], height, width);
        nchw_column<8><<<columns, dim3(32, 4)>>>(din, dw3, a[2], height, width);
        nhwc_vector<1><<<pixels, dim3(CHANNELS / 4, 8)>>>(
            (const float4 *)dnhwc, (const float4 *)dw3_nhwc, (float4 *)a[3], height, width);
        nhwc_vector<4><<<fours, dim3(CHANNELS / 4, 8)>>>(
            (const float4 *)dnhwc, (const float4 *)dw3_nhwc, (float4 *)a[4], height, width);
        nchw_strided<5, 2><<<std::min(ceil_div(n2, 256), 2112), 256>>>(din, dw5, dbias, b, height,
                                                                       width, half, half);
    }
    expect("nchw_plain", a[0], out, 1e-5);
    expect("nchw_tile", a[1], out, 1e-5);
    expect("nchw_column", a[2], out, 1e-5);
    expect("nhwc_vector<1>", a[3], out_nhwc, 1e-5);
    expect("nhwc_vector<4>", a[4], out_nhwc, 1e-5);
    expect("nchw_strided", b, out5, 1e-5);
    return verdict();
}
