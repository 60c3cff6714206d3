// bank_conflict_fixed.cu - the same: rows of the tile are one word longer.
#include <cstdio>
#include <cstdlib>

const int TILE = 32, ROWS = 8;

__global__ void rotate(const int *in, int *out, int width, int height)
{
    __shared__ int tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
    __syncthreads();
    // pixel (x, y) goes to column height - 1 - y of row x
    int column = height - TILE * (blockIdx.y + 1) + threadIdx.x;
    int row = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        out[(row + r) * height + column] = tile[TILE - 1 - threadIdx.x][threadIdx.y + r];
}

int main()
{
    const int width = 1920, height = 1088;
    const size_t bytes = width * height * sizeof(int);
    int *image = (int *)malloc(bytes), *turned = (int *)malloc(bytes);
    for (int i = 0; i < width * height; i++)
        image[i] = i;
    int *d_image, *d_turned;
    cudaMalloc(&d_image, bytes);
    cudaMalloc(&d_turned, bytes);
    cudaMemcpy(d_image, image, bytes, cudaMemcpyHostToDevice);

    rotate<<<dim3(width / TILE, height / TILE), dim3(TILE, ROWS)>>>(d_image, d_turned, width, height);

    cudaMemcpy(turned, d_turned, bytes, cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (turned[x * height + height - 1 - y] != image[y * width + x]) {
                printf("pixel (%d, %d) is wrong\n", x, y);
                return 1;
            }
    printf("correct\n");
    return 0;
}
