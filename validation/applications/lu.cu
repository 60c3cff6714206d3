// LU without pivoting in panels of 32 columns: the diagonal tile, the panels below and beside it, and the rest,
// plainly and in tiles.
#include "common.h"

#define TILE 32

__global__ void factor_diagonal(float *a, int n, int first)
{
    __shared__ float s[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[(first + y) * n + first + x];
    __syncthreads();
    for (int k = 0; k < TILE - 1; k++) {
        if (x == k && y > k)
            s[y][k] /= s[k][k];
        __syncthreads();
        if (x > k && y > k)
            s[y][x] -= s[y][k] * s[k][x];
        __syncthreads();
    }
    a[(first + y) * n + first + x] = s[y][x];
}

// A thread a row below the diagonal tile: solves against its upper triangle.
__global__ void solve_below(float *a, int n, int first)
{
    const int row = first + TILE + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    for (int k = 0; k < TILE; k++) {
        float v = a[row * n + first + k];
        for (int m = 0; m < k; m++)
            v -= a[row * n + first + m] * a[(first + m) * n + first + k];
        a[row * n + first + k] = v / a[(first + k) * n + first + k];
    }
}

// A thread a column beside the diagonal tile, whose lower triangle the block shares.
__global__ void solve_beside(float *a, int n, int first)
{
    __shared__ float lower[TILE][TILE];
    for (int w = threadIdx.x; w < TILE * TILE; w += blockDim.x)
        lower[w / TILE][w % TILE] = a[(first + w / TILE) * n + first + w % TILE];
    __syncthreads();
    const int column = first + TILE + blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n)
        return;
    float v[TILE];
#pragma unroll
    for (int k = 0; k < TILE; k++)
        v[k] = a[(first + k) * n + column];
#pragma unroll
    for (int k = 1; k < TILE; k++)
#pragma unroll
        for (int m = 0; m < k; m++)
            v[k] -= lower[k][m] * v[m];
#pragma unroll
    for (int k = 1; k < TILE; k++)
        a[(first + k) * n + column] = v[k];
}

__global__ void update_plain(float *a, int n, int first)
{
    const int x = first + TILE + blockIdx.x * blockDim.x + threadIdx.x;
    const int y = first + TILE + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = a[y * n + x];
    for (int k = 0; k < TILE; k++)
        sum -= a[y * n + first + k] * a[(first + k) * n + x];
    a[y * n + x] = sum;
}

__global__ void update_tile(float *a, int n, int first)
{
    __shared__ float left[TILE][TILE], above[TILE][TILE];
    const int tx = threadIdx.x, row0 = first + TILE + blockIdx.y * TILE,
              x = first + TILE + blockIdx.x * TILE + tx;
    for (int y = threadIdx.y; y < TILE; y += 8) {
        left[y][tx] = a[(row0 + y) * n + first + tx];
        above[y][tx] = a[(first + y) * n + x];
    }
    __syncthreads();
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < TILE; k++)
#pragma unroll
        for (int r = 0; r < 4; r++)
            sum[r] += left[threadIdx.y + 8 * r][k] * above[k][tx];
#pragma unroll
    for (int r = 0; r < 4; r++)
        a[(row0 + threadIdx.y + 8 * r) * n + x] -= sum[r];
}

static void factor(float *a, int n, bool tiles)
{
    for (int first = 0; first < n; first += TILE) {
        const int rest = n - first - TILE;
        factor_diagonal<<<1, dim3(TILE, TILE)>>>(a, n, first);
        if (rest == 0)
            break;
        solve_below<<<ceil_div(rest, 64), 64>>>(a, n, first);
        solve_beside<<<ceil_div(rest, 64), 64>>>(a, n, first);
        if (tiles)
            update_tile<<<dim3(rest / TILE, rest / TILE), dim3(TILE, 8)>>>(a, n, first);
        else
            update_plain<<<dim3(rest / 32, rest / 8), dim3(32, 8)>>>(a, n, first);
    }
}

int main(int argc, char **argv)
{
    const int n = ceil_div(argument(argc, argv, 1, 128), TILE) * TILE,
              rounds = argument(argc, argv, 2, 1);
    std::vector<float> a = units(n * n, 1), want(n * n);
    for (int i = 0; i < n; i++)
        a[i * n + i] += n;
    std::vector<double> lu(a.begin(), a.end());
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            lu[i * n + k] /= lu[k * n + k];
            for (int j = k + 1; j < n; j++)
                lu[i * n + j] -= lu[i * n + k] * lu[k * n + j];
        }
    for (int i = 0; i < n * n; i++)
        want[i] = (float)lu[i];
    float *from = to_device(a), *plain = to_device(a), *tiled = to_device(a);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<n * n / 256, 256>>>(plain, from, n * n);
        copy_array<<<n * n / 256, 256>>>(tiled, from, n * n);
        factor(plain, n, false);
        factor(tiled, n, true);
    }
    expect("plain", plain, want, 1e-4);
    expect("tiled", tiled, want, 1e-4);
    return verdict();
}
