// Transposes a matrix through a padded tile, and times it with events.
#include <assert.h>
#include <stdio.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

__global__ void transposeNoBankConflicts(float *odata, const float *idata)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    const int n = 128, bytes = n * n * sizeof(float);
    dim3 grid(n / TILE_DIM, n / TILE_DIM, 1), block(TILE_DIM, BLOCK_ROWS, 1);
    float *h_in, *h_out, *d_in, *d_out, ms;
    checkCuda(cudaMallocHost((void **)&h_in, bytes));
    checkCuda(cudaMallocHost((void **)&h_out, bytes));
    checkCuda(cudaMalloc(&d_in, bytes));
    checkCuda(cudaMalloc(&d_out, bytes));
    for (int i = 0; i < n * n; i++)
        h_in[i] = i;
    cudaEvent_t start, stop;
    checkCuda(cudaEventCreate(&start));
    checkCuda(cudaEventCreate(&stop));
    checkCuda(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    checkCuda(cudaEventRecord(start, 0));
    for (int i = 0; i < 3; i++)
        transposeNoBankConflicts<<<grid, block>>>(d_out, d_in);
    checkCuda(cudaEventRecord(stop, 0));
    checkCuda(cudaEventSynchronize(stop));
    checkCuda(cudaEventElapsedTime(&ms, start, stop));
    checkCuda(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            assert(h_out[j * n + i] == h_in[i * n + j]);
    printf("%s\n", 2 * bytes * 1e-6 * 3 / ms > 0 ? "PASSED" : "FAILED");
    checkCuda(cudaEventDestroy(start));
    checkCuda(cudaEventDestroy(stop));
    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_out));
    checkCuda(cudaFreeHost(h_in));
    checkCuda(cudaFreeHost(h_out));
}
