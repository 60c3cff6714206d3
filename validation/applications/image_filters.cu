// Filters of a grey image of bytes: 5x5 box, 3x3 median, Sobel from a tile, bilateral.
#include "common.h"

__device__ int clamped(int i, int n)
{
    return min(max(i, 0), n - 1);
}

__global__ void box_5x5(const unsigned char *in, unsigned char *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += in[clamped(y + dy, height) * width + clamped(x + dx, width)];
    out[y * width + x] = (unsigned char)(sum / 25);
}

__device__ void order(int &a, int &b)
{
    const int low = min(a, b);
    b = max(a, b);
    a = low;
}

__global__ void median_3x3(const unsigned char *in, unsigned char *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        v[k] = in[clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width)];
#pragma unroll
    for (int last = 8; last >= 4; last--)
#pragma unroll
        for (int k = 0; k < last; k++)
            order(v[k], v[k + 1]);
    out[y * width + x] = (unsigned char)v[4];
}

__global__ void sobel_tile(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[18][18];
    for (int w = threadIdx.y * 16 + threadIdx.x; w < 18 * 18; w += 256)
        tile[w / 18][w % 18] = in[clamped(blockIdx.y * 16 + w / 18 - 1, height) * width +
                                  clamped(blockIdx.x * 16 + w % 18 - 1, width)];
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int i = threadIdx.x, j = threadIdx.y;
    const int gx = tile[j][i + 2] + 2 * tile[j + 1][i + 2] + tile[j + 2][i + 2] - tile[j][i] -
                   2 * tile[j + 1][i] - tile[j + 2][i];
    const int gy = tile[j + 2][i] + 2 * tile[j + 2][i + 1] + tile[j + 2][i + 2] - tile[j][i] -
                   2 * tile[j][i + 1] - tile[j][i + 2];
    out[y * width + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}

__global__ void bilateral(const unsigned char *__restrict__ in, float *__restrict__ out, int width,
                          int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float centre = in[y * width + x];
    float sum = 0.0f, total = 0.0f;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            const float v = in[clamped(y + dy, height) * width + clamped(x + dx, width)];
            const float apart = (v - centre) * (v - centre) / 1800.0f;
            const float weight = expf(-(dx * dx + dy * dy) / 8.0f - apart);
            sum += weight * v;
            total += weight;
        }
    out[y * width + x] = sum / total;
}

struct image {
    const std::vector<unsigned char> &cells;
    int n;
    int at(int x, int y) const
    {
        return cells[std::min(std::max(y, 0), n - 1) * n + std::min(std::max(x, 0), n - 1)];
    }
};

static int sobel_at(const image &in, int x, int y)
{
    int gx = 0, gy = 0;
    for (int k = -1; k <= 1; k++) {
        gx += (2 - abs(k)) * (in.at(x + 1, y + k) - in.at(x - 1, y + k));
        gy += (2 - abs(k)) * (in.at(x + k, y + 1) - in.at(x + k, y - 1));
    }
    return std::min(255, abs(gx) + abs(gy));
}

static float bilateral_at(const image &in, int x, int y)
{
    double sum = 0, total = 0;
    for (int k = 0; k < 49; k++) {
        const int dx = k % 7 - 3, dy = k / 7 - 3, v = in.at(x + dx, y + dy),
                  apart = v - in.at(x, y);
        const double weight = exp(-(dx * dx + dy * dy) / 8.0 - apart * apart / 1800.0);
        sum += weight * v;
        total += weight;
    }
    return (float)(sum / total);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned char> in(n * n), box(n * n), median(n * n), sobel(n * n);
    std::vector<float> smooth(n * n);
    for (int i = 0; i < n * n; i++)
        in[i] = (unsigned char)((i % n + i / n + hash32(i) % 64) % 256);
    const image source = {in, n};
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int sum = 0, v[9];
            for (int k = 0; k < 25; k++)
                sum += source.at(x + k % 5 - 2, y + k / 5 - 2);
            for (int k = 0; k < 9; k++)
                v[k] = source.at(x + k % 3 - 1, y + k / 3 - 1);
            std::sort(v, v + 9);
            box[y * n + x] = (unsigned char)(sum / 25);
            median[y * n + x] = (unsigned char)v[4];
            sobel[y * n + x] = (unsigned char)sobel_at(source, x, y);
            smooth[y * n + x] = bilateral_at(source, x, y);
        }
    unsigned char *din = to_device(in), *dbox = device_zeros<unsigned char>(n * n);
    unsigned char *dmedian = device_zeros<unsigned char>(n * n),
                  *dsobel = device_zeros<unsigned char>(n * n);
    float *dsmooth = device_zeros<float>(n * n);
    const dim3 threads(32, 8), blocks(ceil_div(n, 32), ceil_div(n, 8));
    for (int round = 0; round < rounds; round++) {
        box_5x5<<<blocks, threads>>>(din, dbox, n, n);
        median_3x3<<<blocks, threads>>>(din, dmedian, n, n);
        sobel_tile<<<dim3(ceil_div(n, 16), ceil_div(n, 16)), dim3(16, 16)>>>(din, dsobel, n, n);
        bilateral<<<blocks, threads>>>(din, dsmooth, n, n);
    }
    expect("box_5x5", dbox, box);
    expect("median_3x3", dmedian, median);
    expect("sobel_tile", dsobel, sobel);
    expect("bilateral", dsmooth, smooth, 1e-4);
    return verdict();
}
