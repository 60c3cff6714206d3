// Cholesky's factorisation of the first 64 columns of a front, in two panels of 32, and what it leaves of the rest:
// with plain kernels and with tiles; and whole small matrices, a warp each.
#include "common.h"

#define PANEL 32
#define PANELS 2
#define SMALL 16

// The lower triangle of the panel's diagonal tile, in one block.
__global__ void factor_diagonal(float *a, int n, int first)
{
    __shared__ float s[PANEL][PANEL + 1];
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < PANEL; y += blockDim.y)
        s[y][x] = a[(first + y) * n + first + x];
    __syncthreads();
    for (int k = 0; k < PANEL; k++) {
        const float root = sqrtf(s[k][k]);
        __syncthreads();
        if (threadIdx.y == 0 && x >= k)
            s[x][k] = x == k ? root : s[x][k] / root;
        __syncthreads();
        for (int y = threadIdx.y; y < PANEL; y += blockDim.y)
            if (x > k && y >= x)
                s[y][x] -= s[y][k] * s[x][k];
        __syncthreads();
    }
    for (int y = threadIdx.y; y < PANEL; y += blockDim.y)
        if (y >= x)
            a[(first + y) * n + first + x] = s[y][x];
}

// A thread a row of the panel, in place.
__global__ void panel_plain(float *a, int n, int first)
{
    const int row = first + PANEL + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    for (int k = 0; k < PANEL; k++) {
        float v = a[row * n + first + k];
        for (int m = 0; m < k; m++)
            v -= a[row * n + first + m] * a[(first + k) * n + first + m];
        a[row * n + first + k] = v / a[(first + k) * n + first + k];
    }
}

// A warp has 32 rows of the panel, which come and go through shared memory; a thread keeps its row.
__global__ __launch_bounds__(64) void panel_shared(float *a, int n, int first)
{
    __shared__ float lower[PANEL][PANEL], rows[2][32][PANEL + 1];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = first + PANEL + (blockIdx.x * 2 + warp) * 32;
    for (int y = warp; y < PANEL; y += 2)
        lower[y][lane] = a[(first + y) * n + first + lane];
    for (int y = 0; y < 32; y++)
        rows[warp][y][lane] = row0 + y < n ? a[(row0 + y) * n + first + lane] : 0.0f;
    __syncthreads();
    float v[PANEL];
#pragma unroll
    for (int k = 0; k < PANEL; k++)
        v[k] = rows[warp][lane][k];
#pragma unroll
    for (int k = 0; k < PANEL; k++) {
#pragma unroll
        for (int m = 0; m < k; m++)
            v[k] -= v[m] * lower[k][m];
        v[k] /= lower[k][k];
    }
#pragma unroll
    for (int k = 0; k < PANEL; k++)
        rows[warp][lane][k] = v[k];
    __syncwarp();
    for (int y = 0; y < 32; y++)
        if (row0 + y < n)
            a[(row0 + y) * n + first + lane] = rows[warp][y][lane];
}

__global__ void update_plain(float *a, int n, int first)
{
    const int x = first + PANEL + blockIdx.x * blockDim.x + threadIdx.x;
    const int y = first + PANEL + blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= n || x > y)
        return;
    float sum = 0.0f;
    for (int k = 0; k < PANEL; k++)
        sum += a[y * n + first + k] * a[x * n + first + k];
    a[y * n + x] -= sum;
}

// Tiles of 64 x 64 on and below the diagonal, 4 x 4 results a thread; n - first - PANEL need not divide.
__global__ void update_tile(float *__restrict__ a, int n, int first)
{
    if (blockIdx.x > blockIdx.y)
        return;
    __shared__ float left[PANEL][64 + 1], right[PANEL][64 + 1];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int x0 = first + PANEL + blockIdx.x * 64, y0 = first + PANEL + blockIdx.y * 64;
    for (int w = threadIdx.x; w < 64 * PANEL; w += 256) {
        const int k = w % PANEL, r = w / PANEL;
        left[k][r] = y0 + r < n ? a[(y0 + r) * n + first + k] : 0.0f;
        right[k][r] = x0 + r < n ? a[(x0 + r) * n + first + k] : 0.0f;
    }
    __syncthreads();
    float sum[4][4] = {};
#pragma unroll 8
    for (int k = 0; k < PANEL; k++) {
        float u[4], v[4];
#pragma unroll
        for (int m = 0; m < 4; m++) {
            u[m] = left[k][ty + 16 * m];
            v[m] = right[k][tx + 16 * m];
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[i][j] += u[i] * v[j];
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int y = y0 + ty + 16 * i, x = x0 + tx + 16 * j;
            if (y < n && x <= y)
                a[y * n + x] -= sum[i][j];
        }
}

// A lane has a row of the matrix (lanes from SMALL on have a second matrix's), and shuffles bring the pivot rows.
__global__ void small_matrices(const float *__restrict__ from, float *__restrict__ to, int count)
{
    const int matrix = (blockIdx.x * blockDim.x + threadIdx.x) / SMALL, row = threadIdx.x % SMALL;
    float v[SMALL];
    const int m = min(matrix, count - 1);
#pragma unroll
    for (int k = 0; k < SMALL; k++)
        v[k] = from[(m * SMALL + k) * SMALL + row]; // symmetric, hence row by row
#pragma unroll
    for (int k = 0; k < SMALL; k++) {
        const float pivot = rsqrtf(__shfl_sync(0xffffffffu, v[k], k, SMALL));
        v[k] = row >= k ? v[k] * pivot : 0.0f;
#pragma unroll
        for (int j = k + 1; j < SMALL; j++) {
            const float other = __shfl_sync(0xffffffffu, v[k], j, SMALL);
            if (row >= j)
                v[j] -= v[k] * other;
        }
    }
    if (matrix < count)
        for (int k = 0; k < SMALL; k++)
            to[(matrix * SMALL + k) * SMALL + row] = v[k]; // column by column
}

static void factor(std::vector<double> &a, int n, int columns)
{
    for (int k = 0; k < columns; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

static std::vector<float> symmetric(int n, unsigned seed)
{
    std::vector<float> a(n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = unit(seed + i * n + j) + (i == j ? n : 0);
    return a;
}

int main(int argc, char **argv)
{
    const int n = PANEL * ceil_div(std::max(argument(argc, argv, 1, 128), 96), PANEL),
              rounds = argument(argc, argv, 2, 1), count = 16 * n, area = SMALL * SMALL;
    const std::vector<float> a = symmetric(n, 3);
    std::vector<double> exact(a.begin(), a.end());
    factor(exact, n, PANEL * PANELS);
    const std::vector<float> want(exact.begin(), exact.end());
    std::vector<float> many(count * area), lower(many.size());
    for (int m = 0; m < count; m++) {
        const std::vector<float> one = symmetric(SMALL, m * 977);
        std::vector<double> l(one.begin(), one.end());
        factor(l, SMALL, SMALL);
        for (int i = 0; i < area; i++) {
            const int column = i / SMALL, row = i % SMALL;
            many[m * area + i] = one[i];
            lower[m * area + i] = row < column ? 0.0f : (float)l[row * SMALL + column];
        }
    }
    float *from = to_device(a), *plain = to_device(a), *tiled = to_device(a),
          *dmany = to_device(many), *dlower = device_zeros<float>(many.size());
    for (int round = 0; round < rounds; round++) {
        copy_array<<<ceil_div(n * n, 256), 256>>>(plain, from, n * n);
        copy_array<<<ceil_div(n * n, 256), 256>>>(tiled, from, n * n);
        for (int panel = 0; panel < PANELS; panel++) {
            const int first = panel * PANEL, rest = n - first - PANEL;
            factor_diagonal<<<1, dim3(32, 8)>>>(plain, n, first);
            panel_plain<<<ceil_div(rest, 64), 64>>>(plain, n, first);
            update_plain<<<dim3(ceil_div(rest, 16), ceil_div(rest, 16)), dim3(16, 16)>>>(plain, n,
                                                                                         first);
            factor_diagonal<<<1, dim3(32, 16)>>>(tiled, n, first);
            panel_shared<<<ceil_div(rest, 64), 64>>>(tiled, n, first);
            update_tile<<<dim3(ceil_div(rest, 64), ceil_div(rest, 64)), 256>>>(tiled, n, first);
        }
        small_matrices<<<ceil_div(count * SMALL, 128), 128>>>(dmany, dlower, count);
    }
    expect("plain", plain, want, 1e-4);
    expect("tiled", tiled, want, 1e-4);
    expect("small_matrices", dlower, lower, 1e-4);
    return verdict();
}
