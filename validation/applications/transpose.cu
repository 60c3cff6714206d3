// Transposes: rows in and columns out, columns in and rows out, through a tile, through a padded tile with four
// rows a thread, and of complex numbers.
#include "common.h"

__global__ void transpose_rows(const float *in, float *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

__global__ void transpose_columns(const float *in, float *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = in[x * n + y];
}

template <typename T, int PAD>
__global__ void transpose_tile(const T *__restrict__ in, T *__restrict__ out, int n)
{
    __shared__ T tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < n)
            out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units(n * n, 1);
    const std::vector<float> pairs = units((size_t)n * n * 2, 2);
    std::vector<float> want(n * n), want_pairs(pairs.size());
    for (int i = 0; i < n * n; i++) {
        const int j = i % n * n + i / n;
        want[j] = in[i];
        want_pairs[2 * j] = pairs[2 * i];
        want_pairs[2 * j + 1] = pairs[2 * i + 1];
    }
    float *din = to_device(in), *dpairs = to_device(pairs), *out[4],
          *out_pairs = device_zeros<float>(pairs.size());
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(n * n);
    const int tiles = ceil_div(n, 32);
    const dim3 threads(32, 8), blocks(tiles, ceil_div(n, 8));
    for (int round = 0; round < rounds; round++) {
        transpose_rows<<<blocks, threads>>>(din, out[0], n);
        transpose_columns<<<blocks, threads>>>(din, out[1], n);
        transpose_tile<float, 0><<<dim3(tiles, tiles), threads>>>(din, out[2], n);
        transpose_tile<float, 1><<<dim3(tiles, tiles), threads>>>(din, out[3], n);
        transpose_tile<float2, 1>
            <<<dim3(tiles, tiles), threads>>>((const float2 *)dpairs, (float2 *)out_pairs, n);
    }
    const char *names[4] = {"transpose_rows", "transpose_columns", "tile", "padded tile"};
    for (int k = 0; k < 4; k++)
        expect(names[k], out[k], want);
    expect("complex", out_pairs, want_pairs);
    return verdict();
}
