// An image made 3/2 as large: nearest, bilinear, bicubic; and a table looked up between its entries.
#include "common.h"

__global__ void resize_nearest(const float *in, float *out, int n, int m)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < m && y < m)
        out[y * m + x] = in[y * n / m * n + x * n / m];
}

__global__ void resize_bilinear(const float *in, float *out, int n, int m)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    const int u = x * n / m, v = y * n / m, u1 = min(u + 1, n - 1), v1 = min(v + 1, n - 1);
    const float fx = (float)(x * n % m) / m, fy = (float)(y * n % m) / m;
    const float top = in[v * n + u] * (1 - fx) + in[v * n + u1] * fx;
    const float bottom = in[v1 * n + u] * (1 - fx) + in[v1 * n + u1] * fx;
    out[y * m + x] = top * (1 - fy) + bottom * fy;
}

// Weights of Catmull and Rom.
__host__ __device__ inline float cubic(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

__global__ void resize_bicubic(const float *__restrict__ in, float *__restrict__ out, int n, int m)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    const int u = x * n / m, v = y * n / m;
    const float fx = (float)(x * n % m) / m, fy = (float)(y * n % m) / m;
    float rows[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float *row = in + min(max(v + k - 1, 0), n - 1) * n;
        rows[k] =
            cubic(row[max(u - 1, 0)], row[u], row[min(u + 1, n - 1)], row[min(u + 2, n - 1)], fx);
    }
    out[y * m + x] = cubic(rows[0], rows[1], rows[2], rows[3], fy);
}

__global__ void look_up_between(const float *table, const float *at, float *out, int entries,
                                int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float place = at[i] * (entries - 1);
        const int k = (int)place;
        out[i] = table[k] + (place - k) * (table[k + 1] - table[k]);
    }
}

static float sample(const std::vector<float> &in, int n, int x, int y)
{
    return in[std::min(std::max(y, 0), n - 1) * n + std::min(std::max(x, 0), n - 1)];
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 256), 2) * 2, m = n / 2 * 3;
    const int rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units(n * n, 1), at = units(m * m, 2);
    std::vector<float> nearest(m * m), linear(m * m), bicubic(m * m), between(m * m);
    for (int i = 0; i < m * m; i++) {
        const int x = i % m, y = i / m, u = x * n / m, v = y * n / m;
        const float fx = (float)(x * n % m) / m, fy = (float)(y * n % m) / m;
        float line[2], rows[4];
        for (int k = 0; k < 2; k++)
            line[k] = sample(in, n, u, v + k) * (1 - fx) + sample(in, n, u + 1, v + k) * fx;
        for (int k = 0; k < 4; k++)
            rows[k] = cubic(sample(in, n, u - 1, v + k - 1), sample(in, n, u, v + k - 1),
                            sample(in, n, u + 1, v + k - 1), sample(in, n, u + 2, v + k - 1), fx);
        nearest[i] = in[v * n + u];
        linear[i] = line[0] * (1 - fy) + line[1] * fy;
        bicubic[i] = cubic(rows[0], rows[1], rows[2], rows[3], fy);
        const float place = at[i] * (n * n - 1);
        const int k = (int)place;
        between[i] = in[k] + (place - k) * (in[k + 1] - in[k]);
    }
    float *din = to_device(in), *dat = to_device(at), *a = device_zeros<float>(m * m);
    float *b = device_zeros<float>(m * m), *c = device_zeros<float>(m * m),
          *d = device_zeros<float>(m * m);
    const dim3 threads(32, 8), blocks(ceil_div(m, 32), ceil_div(m, 8));
    for (int round = 0; round < rounds; round++) {
        resize_nearest<<<blocks, threads>>>(din, a, n, m);
        resize_bilinear<<<blocks, threads>>>(din, b, n, m);
        resize_bicubic<<<blocks, threads>>>(din, c, n, m);
        look_up_between<<<396, 256>>>(din, dat, d, n * n, m * m);
    }
    expect("resize_nearest", a, nearest);
    expect("resize_bilinear", b, linear, 1e-5);
    expect("resize_bicubic", c, bicubic, 1e-5);
    expect("look_up_between", d, between, 1e-5);
    return verdict();
}
