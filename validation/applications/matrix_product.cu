// Products of square matrices: plainly, with the right matrix transposed, in shared tiles, in tiles of 64x64 with
// 4x4 results a thread, and cut along the inner index with sums by atomics and by a second kernel.
#include "common.h"

#define TILE 16
#define PARTS 4

__global__ void product_naive(const float *a, const float *b, float *c, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void product_transposed(const float *__restrict__ a, const float *__restrict__ bt,
                                   float *__restrict__ c, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 4) {
        const float4 u = *(const float4 *)&a[y * n + k], v = *(const float4 *)&bt[x * n + k];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    c[y * n + x] = sum;
}

__device__ float tile_sum(const float *a, const float *b, int n, int first, int last)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx,
              y = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int k0 = first; k0 < last; k0 += TILE) {
        as[ty][tx] = a[y * n + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    return sum;
}

__global__ void product_tile(const float *a, const float *b, float *c, int n)
{
    const float sum = tile_sum(a, b, n, 0, n);
    c[(blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE + threadIdx.x] = sum;
}

__global__ void product_registers(const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c, int n)
{
    __shared__ float as[8][64], bs[8][64];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16, row0 = blockIdx.y * 64,
              column0 = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int w = t; w < 512; w += 256) {
            as[w % 8][w / 8] = a[(row0 + w / 8) * n + k0 + w % 8];
            bs[w / 64][w % 64] = b[(k0 + w / 64) * n + column0 + w % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float4 u = *(const float4 *)&as[k][ty * 4], v = *(const float4 *)&bs[k][tx * 4];
            const float left[4] = {u.x, u.y, u.z, u.w}, right[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row0 + ty * 4 + i) * n + column0 + tx * 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

__global__ void product_split_atomic(const float *a, const float *b, float *c, int n)
{
    const int part = n / PARTS, first = blockIdx.z * part;
    const float sum = tile_sum(a, b, n, first, first + part);
    atomicAdd(&c[(blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE + threadIdx.x], sum);
}

__global__ void product_split(const float *a, const float *b, float *parts, int n)
{
    const int part = n / PARTS, first = blockIdx.z * part;
    const float sum = tile_sum(a, b, n, first, first + part);
    parts[blockIdx.z * n * n + (blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE +
          threadIdx.x] = sum;
}

__global__ void sum_parts(const float *parts, float *c, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = 0.0f;
    for (int p = 0; p < PARTS; p++)
        sum += parts[p * count + i];
    c[i] = sum;
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 128), 64) * 64,
              rounds = argument(argc, argv, 2, 1);
    const std::vector<float> a = units(n * n, 1), b = units(n * n, 2);
    std::vector<float> bt(n * n), want(n * n);
    for (int i = 0; i < n * n; i++)
        bt[i % n * n + i / n] = b[i];
    for (int i = 0; i < n * n; i++)
        for (int k = 0; k < n; k++)
            want[i] += a[i / n * n + k] * bt[i % n * n + k];
    float *da = to_device(a), *db = to_device(b), *dbt = to_device(bt), *c[6], *parts;
    for (int k = 0; k < 6; k++)
        c[k] = device_zeros<float>(n * n);
    parts = device_zeros<float>(n * n * PARTS);
    const dim3 threads(TILE, TILE), blocks(n / TILE, n / TILE), split(n / TILE, n / TILE, PARTS);
    for (int round = 0; round < rounds; round++) {
        product_naive<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(da, db, c[0], n);
        product_transposed<<<blocks, threads>>>(da, dbt, c[1], n);
        product_tile<<<blocks, threads>>>(da, db, c[2], n);
        product_registers<<<dim3(n / 64, n / 64), 256>>>(da, db, c[3], n);
        fill_array<<<n * n / 256, 256>>>(c[4], 0.0f, n * n);
        product_split_atomic<<<split, threads>>>(da, db, c[4], n);
        product_split<<<split, threads>>>(da, db, parts, n);
        sum_parts<<<n * n / 256, 256>>>(parts, c[5], n * n);
    }
    const char *names[6] = {"naive", "transposed", "tile", "registers", "split_atomic", "split"};
    for (int k = 0; k < 6; k++)
        expect(names[k], c[k], want, 1e-4);
    return verdict();
}
