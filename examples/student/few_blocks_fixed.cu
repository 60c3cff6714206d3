// few_blocks_fixed.cu - the same: as many blocks as there are elements for.
#include <cstdio>
#include <cstdlib>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int n = 50000;
    float *x, *y, *d_x, *d_y;
    x = (float *)malloc(n * sizeof(float));
    y = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = i;
    }
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, n * sizeof(float), cudaMemcpyHostToDevice);

    saxpy<<<(n + 255) / 256, 256>>>(n, 2, d_x, d_y);

    cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (y[i] != i + 2) {
            printf("element %d is wrong: %g\n", i, y[i]);
            return 1;
        }
    printf("correct\n");
    return 0;
}
