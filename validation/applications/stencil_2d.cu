// Five points of a plane: from global memory, from a tile in shared memory, down a column with three rows in
// registers; and a red-black sweep in place.
#include "common.h"

__global__ void five_points(const float *in, float *out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    const int i = y * n + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

__global__ void five_points_tile(const float *in, float *out, int n)
{
    __shared__ float s[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * n + x;
    const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
    if (x < n && y < n) {
        s[sy][sx] = in[i];
        if (threadIdx.x == 0 && x > 0)
            s[sy][0] = in[i - 1];
        if (threadIdx.x == 31 && x < n - 1)
            s[sy][33] = in[i + 1];
        if (threadIdx.y == 0 && y > 0)
            s[0][sx] = in[i - n];
        if (threadIdx.y == 7 && y < n - 1)
            s[9][sx] = in[i + n];
    }
    __syncthreads();
    if (x >= 1 && y >= 1 && x < n - 1 && y < n - 1)
        out[i] = 0.5f * s[sy][sx] +
                 0.125f * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] + s[sy + 1][sx]);
}

__global__ void five_points_column(const float *__restrict__ in, float *__restrict__ out, int n,
                                   int rows)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, first = 1 + blockIdx.y * rows;
    if (x < 1 || x >= n - 1 || first >= n - 1)
        return;
    float above = in[(first - 1) * n + x], here = in[first * n + x];
    for (int y = first; y < min(first + rows, n - 1); y++) {
        const float below = in[(y + 1) * n + x];
        out[y * n + x] =
            0.5f * here + 0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + above + below);
        above = here;
        here = below;
    }
}

__global__ void red_black(float *u, const float *f, int n, int colour)
{
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    const int i = y * n + x;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units(n * n, 1), f = units(n * n, 2);
    std::vector<float> want = in, swept = in;
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const int i = y * n + x;
            want[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
        }
    for (int colour = 0; colour < 2; colour++)
        for (int i = n; i < n * (n - 1); i++)
            if (i % n > 0 && i % n < n - 1 && (i % n + i / n) % 2 == colour)
                swept[i] =
                    0.25f * (swept[i - 1] + swept[i + 1] + swept[i - n] + swept[i + n] - f[i]);
    float *din = to_device(in), *df = to_device(f), *u = to_device(in);
    float *a = to_device(in), *b = to_device(in), *c = to_device(in);
    const dim3 threads(32, 8), blocks(ceil_div(n, 32), ceil_div(n, 8));
    for (int round = 0; round < rounds; round++) {
        five_points<<<blocks, threads>>>(din, a, n);
        five_points_tile<<<blocks, threads>>>(din, b, n);
        five_points_column<<<dim3(ceil_div(n, 128), ceil_div(n, 32)), 128>>>(din, c, n, 32);
        copy_array<<<ceil_div(n * n, 256), 256>>>(u, din, n * n);
        for (int colour = 0; colour < 2; colour++)
            red_black<<<dim3(ceil_div(n, 64), ceil_div(n, 8)), threads>>>(u, df, n, colour);
    }
    expect("five_points", a, want, 1e-5);
    expect("five_points_tile", b, want, 1e-5);
    expect("five_points_column", c, want, 1e-5);
    expect("red_black", u, swept, 1e-5);
    return verdict();
}
