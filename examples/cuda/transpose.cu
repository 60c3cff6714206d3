// transpose.cu - a matrix is transposed twice: straight, and through a tile in shared memory.
//
//     warplens run transpose.cu --gpu gtx280,h200
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = call;                                                                  \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

const int TILE = 32, ROWS = 8;

__global__ void straight(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[x * n + y + i] = in[(y + i) * n + x];
}

template <int PAD> __global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

static void check(const char *name, const float *result, const float *matrix, int n)
{
    for (int i = 0; i < n * n; i++)
        if (result[i] != matrix[i % n * n + i / n]) {
            printf("%s: element %d is wrong\n", name, i);
            exit(1);
        }
    printf("%s: PASSED\n", name);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 512;
    const size_t bytes = (size_t)n * n * sizeof(float);
    float *matrix = (float *)malloc(bytes), *result = (float *)malloc(bytes), *in, *out;
    for (int i = 0; i < n * n; i++)
        matrix[i] = (float)i;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, matrix, bytes, cudaMemcpyHostToDevice));

    dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
    straight<<<grid, block>>>(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost));
    check("straight", result, matrix, n);

    tiled<1><<<grid, block>>>(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost));
    check("tiled", result, matrix, n);

    cudaFree(in);
    cudaFree(out);
    free(matrix);
    free(result);
    return 0;
}
