// y = a x + y in managed memory, with a loop over the grid.
#include <cmath>
#include <iostream>

__global__ void saxpy(int n, float a, float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    int N = 1 << 14;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    int device = -1;
    cudaGetDevice(&device);
    cudaMemPrefetchAsync(x, N * sizeof(float), device, NULL);
    saxpy<<<16, 256>>>(N, 2.0f, x, y);
    cudaDeviceSynchronize();

    float maxError = 0.0f;
    for (int i = 0; i < N; i++)
        maxError = fmax(maxError, fabs(y[i] - 4.0f));
    std::cout << "Max error: " << maxError << std::endl;
    std::cout << (maxError == 0.0f ? "PASSED" : "FAILED") << std::endl;
    cudaFree(x);
    cudaFree(y);
    return 0;
}
