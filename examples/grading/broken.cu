// broken.cu - a hand-in that does not compile: a semicolon is missing.
#include <cstdio>
#include <cstdlib>

const int TILE = 32;

__global__ void transpose(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    out[x * n + y] = in[y * n + x]
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *matrix = (float *)malloc(bytes), *result = (float *)malloc(bytes), *in, *out;
    for (int i = 0; i < n * n; i++)
        matrix[i] = (float)i;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, matrix, bytes, cudaMemcpyHostToDevice);
    transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(out, in, n);
    cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++)
        if (result[i] != matrix[i % n * n + i / n]) {
            printf("element %d is wrong\n", i);
            return 1;
        }
    printf("PASSED\n");
    return 0;
}
