/* A row too far in an array of two dimensions. */
#include <stdio.h>
__global__ void columns(float *out)
{
    __shared__ float tile[32][32];
    float sum = 0;
    tile[threadIdx.y][threadIdx.x] = 2;
    __syncthreads();
    for (int i = 0; i <= 32; i++)
        sum += tile[i][threadIdx.x];
    out[threadIdx.x + 32 * threadIdx.y] = sum;
}
int main()
{
    float *d;
    cudaMalloc(&d, 4096);
    columns<<<1, dim3(32, 32)>>>(d);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
