// A lower triangular matrix of 128 rows and many right sides: a thread a side, a warp a side, tiles of 32 rows with
// the triangle in shared memory; and a Cholesky factor of many small matrices.
#include "common.h"

#define N 128
#define SMALL 16

// Right side s is column s: element (row, s) at row sides + s.
__global__ void solve_thread(const float *lower, const float *b, float *x, int sides)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sides)
        return;
    for (int row = 0; row < N; row++) {
        float sum = b[row * sides + s];
        for (int k = 0; k < row; k++)
            sum -= lower[row * N + k] * x[k * sides + s];
        x[row * sides + s] = sum / lower[row * N + row];
    }
}

// Right side s is row s: element (row, s) at s N + row. A lane keeps every 32nd element.
__global__ void solve_warp(const float *lower, const float *b, float *x, int sides)
{
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (s >= sides)
        return;
    float mine[N / 32];
#pragma unroll
    for (int k = 0; k < N / 32; k++)
        mine[k] = b[s * N + k * 32 + lane];
#pragma unroll
    for (int part = 0; part < N / 32; part++)
        for (int column = part * 32; column < part * 32 + 32; column++) {
            const float solved =
                __shfl_sync(0xffffffffu, mine[part], column % 32) / lower[column * N + column];
            if (lane == column % 32)
                mine[part] = solved;
#pragma unroll
            for (int k = part; k < N / 32; k++)
                if (k * 32 + lane > column)
                    mine[k] -= lower[(k * 32 + lane) * N + column] * solved;
        }
#pragma unroll
    for (int k = 0; k < N / 32; k++)
        x[s * N + k * 32 + lane] = mine[k];
}

__global__ void solve_tile(const float *__restrict__ lower, const float *b, float *x, int sides)
{
    __shared__ float tile[32][32];
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    for (int top = 0; top < N; top += 32) {
        float sum[32];
#pragma unroll
        for (int r = 0; r < 32; r++)
            sum[r] = s < sides ? b[(top + r) * sides + s] : 0.0f;
        for (int left = 0; left <= top; left += 32) {
            __syncthreads();
            for (int w = threadIdx.x; w < 1024; w += blockDim.x)
                tile[w / 32][w % 32] = lower[(top + w / 32) * N + left + w % 32];
            __syncthreads();
            if (left < top && s < sides)
                for (int k = 0; k < 32; k++) {
                    const float known = x[(left + k) * sides + s];
#pragma unroll
                    for (int r = 0; r < 32; r++)
                        sum[r] -= tile[r][k] * known;
                }
        }
#pragma unroll
        for (int r = 0; r < 32; r++) {
#pragma unroll
            for (int k = 0; k < r; k++)
                sum[r] -= tile[r][k] * sum[k];
            sum[r] /= tile[r][r];
            if (s < sides)
                x[(top + r) * sides + s] = sum[r];
        }
    }
}

__global__ void cholesky_small(const float *in, float *out)
{
    __shared__ float a[SMALL][SMALL];
    const int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * SMALL + y) * SMALL + x;
    a[y][x] = in[at];
    for (int k = 0; k < SMALL; k++) {
        __syncthreads();
        if (x == k && y == k)
            a[k][k] = sqrtf(a[k][k]);
        __syncthreads();
        if (x == k && y > k)
            a[y][k] /= a[k][k];
        __syncthreads();
        if (x > k && y >= x)
            a[y][x] -= a[y][k] * a[x][k];
    }
    __syncthreads();
    out[at] = x <= y ? a[y][x] : 0.0f;
}

static void factor(const float *in, float *out)
{
    for (int j = 0; j < SMALL; j++)
        for (int i = j; i < SMALL; i++) {
            double sum = in[i * SMALL + j];
            for (int k = 0; k < j; k++)
                sum -= (double)out[i * SMALL + k] * out[j * SMALL + k];
            out[i * SMALL + j] = (float)(i == j ? sqrt(sum) : sum / out[j * SMALL + j]);
        }
}

int main(int argc, char **argv)
{
    const int sides = argument(argc, argv, 1, 256), rounds = argument(argc, argv, 2, 1);
    std::vector<float> lower = units(N * N, 1), b = units((size_t)N * sides, 2);
    std::vector<float> rows(b.size()), want(b.size()), want_rows(b.size());
    std::vector<float> small((size_t)sides * SMALL * SMALL), factors(small.size());
    for (int i = 0; i < N * N; i++)
        lower[i] = i / N == i % N ? 2 + lower[i] : lower[i] / 16;
    for (int s = 0; s < sides; s++)
        for (int row = 0; row < N; row++) {
            double sum = rows[(size_t)s * N + row] = b[(size_t)row * sides + s];
            for (int k = 0; k < row; k++)
                sum -= lower[row * N + k] * want[(size_t)k * sides + s];
            want_rows[(size_t)s * N + row] = want[(size_t)row * sides + s] =
                (float)(sum / lower[row * N + row]);
        }
    for (int m = 0; m < sides; m++) {
        float *a = &small[(size_t)m * SMALL * SMALL];
        for (int i = 0; i < SMALL * SMALL; i++)
            a[i] = unit(m * 7 + std::min(i / SMALL, i % SMALL) * SMALL +
                        std::max(i / SMALL, i % SMALL)) +
                   (i / SMALL == i % SMALL ? SMALL : 0);
        factor(a, &factors[(size_t)m * SMALL * SMALL]);
    }
    float *dlower = to_device(lower), *db = to_device(b), *drows = to_device(rows),
          *dsmall = to_device(small);
    float *by_thread = device_zeros<float>(b.size()), *by_warp = device_zeros<float>(b.size());
    float *by_tile = device_zeros<float>(b.size()), *dfactors = device_zeros<float>(small.size());
    for (int round = 0; round < rounds; round++) {
        solve_thread<<<ceil_div(sides, 64), 64>>>(dlower, db, by_thread, sides);
        solve_warp<<<ceil_div(sides, 4), 128>>>(dlower, drows, by_warp, sides);
        solve_tile<<<ceil_div(sides, 64), 64>>>(dlower, db, by_tile, sides);
        cholesky_small<<<sides, dim3(SMALL, SMALL)>>>(dsmall, dfactors);
    }
    expect("solve_thread", by_thread, want, 1e-4);
    expect("solve_warp", by_warp, want_rows, 1e-4);
    expect("solve_tile", by_tile, want, 1e-4);
    expect("cholesky_small", dfactors, factors, 1e-4);
    return verdict();
}
