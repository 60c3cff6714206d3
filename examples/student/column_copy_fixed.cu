// column_copy_fixed.cu - the same: neighbouring threads copy neighbours of a row.
#include <cstdio>
#include <cstdlib>

const int WIDTH = 2048, LEFT = 256, TOP = 64; // of the picture; where the part begins
const int PART_WIDTH = 1024, PART_HEIGHT = 1024;

__global__ void crop(const float *picture, float *part)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < PART_WIDTH && y < PART_HEIGHT)
        part[y * PART_WIDTH + x] = picture[(TOP + y) * WIDTH + LEFT + x];
}

int main()
{
    const int height = TOP + PART_HEIGHT;
    float *picture = (float *)malloc(WIDTH * height * sizeof(float));
    float *part = (float *)malloc(PART_WIDTH * PART_HEIGHT * sizeof(float));
    for (int i = 0; i < WIDTH * height; i++)
        picture[i] = i;
    float *d_picture, *d_part;
    cudaMalloc(&d_picture, WIDTH * height * sizeof(float));
    cudaMalloc(&d_part, PART_WIDTH * PART_HEIGHT * sizeof(float));
    cudaMemcpy(d_picture, picture, WIDTH * height * sizeof(float), cudaMemcpyHostToDevice);

    crop<<<dim3(PART_WIDTH / 32, PART_HEIGHT / 8), dim3(32, 8)>>>(d_picture, d_part);

    cudaMemcpy(part, d_part, PART_WIDTH * PART_HEIGHT * sizeof(float), cudaMemcpyDeviceToHost);
    for (int y = 0; y < PART_HEIGHT; y++)
        for (int x = 0; x < PART_WIDTH; x++)
            if (part[y * PART_WIDTH + x] != picture[(TOP + y) * WIDTH + LEFT + x]) {
                printf("pixel (%d, %d) is wrong\n", x, y);
                return 1;
            }
    printf("correct\n");
    return 0;
}
