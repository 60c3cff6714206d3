/* async_tiles.cu - a product of matrices through tiles of shared memory, twice: each tile is loaded and then used; the next tile is
 * on its way (cp.async) while one is used. The copies need sm_80; before, nvcc and warplens make loads and stores of them. */
#include <cstdio>
#include <cuda_pipeline.h>

enum { N = 256, TILE = 16 }; /* a thread of a block computes an element of its tile of C */

__device__ float multiply(const float (*a)[TILE], const float (*b)[TILE])
{
    float sum = 0;
    for (int k = 0; k < TILE; k++)
        sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    return sum;
}

__global__ void tiled(const float *a, const float *b, float *c)
{
    __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < N; t += TILE) {
        tileA[y][x] = a[row * N + t + x];
        tileB[y][x] = b[(t + y) * N + column];
        __syncthreads();
        sum += multiply(tileA, tileB);
        __syncthreads();
    }
    c[row * N + column] = sum;
}

__global__ void tiledAsync(const float *a, const float *b, float *c)
{
    __shared__ float tileA[2][TILE][TILE], tileB[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    __pipeline_memcpy_async(&tileA[0][y][x], &a[row * N + x], 4);
    __pipeline_memcpy_async(&tileB[0][y][x], &b[y * N + column], 4);
    __pipeline_commit();
    for (int t = 0; t < N; t += TILE) {
        const int now = t / TILE % 2;
        if (t + TILE < N) {
            __pipeline_memcpy_async(&tileA[!now][y][x], &a[row * N + t + TILE + x], 4);
            __pipeline_memcpy_async(&tileB[!now][y][x], &b[(t + TILE + y) * N + column], 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1); /* this tile is there, the next one may be on its way */
        __syncthreads();
        sum += multiply(tileA[now], tileB[now]);
        __syncthreads();
    }
    c[row * N + column] = sum;
}

static float a[N * N], b[N * N], c[N * N];

static bool is_right()
{
    for (int i = 0; i < N; i += 37)
        for (int j = 0; j < N; j += 41) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            if (sum != c[i * N + j])
                return false;
        }
    return true;
}

int main()
{
    float *da, *db, *dc;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5);
    }
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    tiled<<<grid, block>>>(da, db, dc);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    printf("tiled: %s\n", is_right() ? "PASSED" : "FAILED");
    tiledAsync<<<grid, block>>>(da, db, dc);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    printf("tiledAsync: %s\n", is_right() ? "PASSED" : "FAILED");
}
