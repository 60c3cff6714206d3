// Convolution of an image with 9x9 coefficients: from global memory, from a tile in shared memory, and as rows
// and columns, the rows each in shared memory and the columns straight from global memory and from a tile.
#include "common.h"

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)
#define TILE 16

__constant__ float taps[TAPS];

__global__ void convolve_2d_naive(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            const int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
            sum += in[v * width + u] * taps[dy + RADIUS] * taps[dx + RADIUS];
        }
    out[y * width + x] = sum;
}

__global__ void convolve_2d_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
    const int left = blockIdx.x * TILE - RADIUS, above = blockIdx.y * TILE - RADIUS;
    for (int j = threadIdx.y; j < TILE + 2 * RADIUS; j += TILE)
        for (int i = threadIdx.x; i < TILE + 2 * RADIUS; i += TILE) {
            const int u = min(max(left + i, 0), width - 1), v = min(max(above + j, 0), height - 1);
            tile[j][i] = in[v * width + u];
        }
    __syncthreads();
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < TAPS; dy++)
        for (int dx = 0; dx < TAPS; dx++)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx] * taps[dy] * taps[dx];
    out[y * width + x] = sum;
}

__global__ void convolve_rows(const float *in, float *out, int width)
{
    __shared__ float line[128 + 2 * RADIUS];
    const int y = blockIdx.y, first = blockIdx.x * 128;
    for (int w = threadIdx.x; w < 128 + 2 * RADIUS; w += 128)
        line[w] = in[y * width + min(max(first + w - RADIUS, 0), width - 1)];
    __syncthreads();
    const int x = first + threadIdx.x;
    if (x >= width)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += line[threadIdx.x + k] * taps[k];
    out[y * width + x] = sum;
}

__global__ void convolve_columns_naive(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += in[min(max(y + k, 0), height - 1) * width + x] * taps[k + RADIUS];
    out[y * width + x] = sum;
}

__global__ void convolve_columns_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[64 + 2 * RADIUS][16];
    const int x = blockIdx.x * 16 + threadIdx.x, first = blockIdx.y * 64;
    if (x < width)
        for (int w = threadIdx.y; w < 64 + 2 * RADIUS; w += 8)
            tile[w][threadIdx.x] = in[min(max(first + w - RADIUS, 0), height - 1) * width + x];
    __syncthreads();
    if (x >= width)
        return;
    for (int w = threadIdx.y; w < 64 && first + w < height; w += 8) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++)
            sum += tile[w + k][threadIdx.x] * taps[k];
        out[(first + w) * width + x] = sum;
    }
}

static std::vector<float> pass(const std::vector<float> &in, const std::vector<float> &weights,
                               int n, bool along_x)
{
    std::vector<float> out(in.size());
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int k = -RADIUS; k <= RADIUS; k++) {
                const int u = along_x ? std::min(std::max(x + k, 0), n - 1) : x;
                const int v = along_x ? y : std::min(std::max(y + k, 0), n - 1);
                out[y * n + x] += in[v * n + u] * weights[k + RADIUS];
            }
    return out;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units(n * n, 1), weights = units(TAPS, 2);
    CHECK(cudaMemcpyToSymbol(taps, weights.data(), TAPS * sizeof(float)));
    float *din = to_device(in), *naive = device_zeros<float>(n * n),
          *tile = device_zeros<float>(n * n);
    float *rows = device_zeros<float>(n * n), *columns = device_zeros<float>(n * n);
    float *columns_tile = device_zeros<float>(n * n);
    for (int round = 0; round < rounds; round++) {
        convolve_2d_naive<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(din, naive, n, n);
        convolve_2d_tile<<<dim3(ceil_div(n, TILE), ceil_div(n, TILE)), dim3(TILE, TILE)>>>(
            din, tile, n, n);
        convolve_rows<<<dim3(ceil_div(n, 128), n), 128>>>(din, rows, n);
        convolve_columns_naive<<<dim3(ceil_div(n, 32), ceil_div(n, 8)), dim3(32, 8)>>>(
            rows, columns, n, n);
        convolve_columns_tile<<<dim3(ceil_div(n, 16), ceil_div(n, 64)), dim3(16, 8)>>>(
            rows, columns_tile, n, n);
    }
    const std::vector<float> by_rows = pass(in, weights, n, true),
                             want = pass(by_rows, weights, n, false);
    expect("convolve_2d_naive", naive, want, 1e-5);
    expect("convolve_2d_tile", tile, want, 1e-5);
    expect("convolve_rows", rows, by_rows, 1e-5);
    expect("convolve_columns_naive", columns, want, 1e-5);
    expect("convolve_columns_tile", columns_tile, want, 1e-5);
    return verdict();
}
