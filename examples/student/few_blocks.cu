// few_blocks.cu - y = a * x + y: the threads of a block share the elements out.
#include <cstdio>
#include <cstdlib>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
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

    saxpy<<<1, 256>>>(n, 2, d_x, d_y);

    cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (y[i] != i + 2) {
            printf("element %d is wrong: %g\n", i, y[i]);
            return 1;
        }
    printf("correct\n");
    return 0;
}
