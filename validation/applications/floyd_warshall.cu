// All shortest paths: one step of the plain algorithm a launch for the first 16 vertices, and the blocked
// algorithm's three phases over tiles of 32x32.
#include "common.h"

#define TILE 32
#define PLAIN_STEPS 16

__global__ void relax_through(int *dist, int k, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    const int through = dist[i * n + k] + dist[k * n + j];
    if (through < dist[i * n + j])
        dist[i * n + j] = through;
}

__global__ void tile_diagonal(int *dist, int k, int n)
{
    __shared__ int d[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    int *tile = dist + (k * TILE + y) * n + k * TILE + x;
    d[y][x] = *tile;
    __syncthreads();
    for (int m = 0; m < TILE; m++) {
        const int through = d[y][m] + d[m][x];
        __syncthreads();
        d[y][x] = min(d[y][x], through);
        __syncthreads();
    }
    *tile = d[y][x];
}

// blockIdx.y 0: the tiles of row k; 1: those of column k.
__global__ void tile_cross(int *dist, int k, int n)
{
    __shared__ int pivot[TILE][TILE], d[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, other = blockIdx.x + (blockIdx.x >= k);
    const int row = blockIdx.y ? other : k, column = blockIdx.y ? k : other;
    int *tile = dist + (row * TILE + y) * n + column * TILE + x;
    pivot[y][x] = dist[(k * TILE + y) * n + k * TILE + x];
    d[y][x] = *tile;
    __syncthreads();
    for (int m = 0; m < TILE; m++) {
        const int through = blockIdx.y ? d[y][m] + pivot[m][x] : pivot[y][m] + d[m][x];
        __syncthreads();
        d[y][x] = min(d[y][x], through);
        __syncthreads();
    }
    *tile = d[y][x];
}

__global__ void tile_rest(int *dist, int k, int n)
{
    __shared__ int left[TILE][TILE], above[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y + (blockIdx.y >= k), column = blockIdx.x + (blockIdx.x >= k);
    int *tile = dist + (row * TILE + y) * n + column * TILE + x;
    left[y][x] = dist[(row * TILE + y) * n + k * TILE + x];
    above[y][x] = dist[(k * TILE + y) * n + column * TILE + x];
    __syncthreads();
    int best = *tile;
#pragma unroll 8
    for (int m = 0; m < TILE; m++)
        best = min(best, left[y][m] + above[m][x]);
    *tile = best;
}

static std::vector<int> relaxed(std::vector<int> dist, int n, int steps)
{
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                dist[i * n + j] = std::min(dist[i * n + j], dist[i * n + k] + dist[k * n + j]);
    return dist;
}

int main(int argc, char **argv)
{
    const int tiles = ceil_div(argument(argc, argv, 1, 128), TILE),
              rounds = argument(argc, argv, 2, 1);
    const int n = tiles * TILE;
    std::vector<int> dist(n * n);
    for (int i = 0; i < n * n; i++)
        dist[i] = i / n == i % n ? 0 : hash32(i) % 8 ? 1000000 : 1 + hash32(i + 1) % 100;
    int *from = to_device(dist), *plain = to_device(dist), *blocked = to_device(dist);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<n * n / 256, 256>>>(plain, from, n * n);
        copy_array<<<n * n / 256, 256>>>(blocked, from, n * n);
        for (int k = 0; k < PLAIN_STEPS; k++)
            relax_through<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(plain, k, n);
        for (int k = 0; k < tiles; k++) {
            tile_diagonal<<<1, dim3(TILE, TILE)>>>(blocked, k, n);
            if (tiles == 1)
                continue;
            tile_cross<<<dim3(tiles - 1, 2), dim3(TILE, TILE)>>>(blocked, k, n);
            tile_rest<<<dim3(tiles - 1, tiles - 1), dim3(TILE, TILE)>>>(blocked, k, n);
        }
    }
    expect("relax_through", plain, relaxed(dist, n, PLAIN_STEPS));
    expect("blocked", blocked, relaxed(dist, n, n));
    return verdict();
}
