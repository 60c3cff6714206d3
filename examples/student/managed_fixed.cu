// managed_fixed.cu - the same: the pages go to the GPU before the kernel needs them.
#include <cstdio>

__global__ void step(const float *now, float *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        next[i] = now[i] + 0.25f * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

int main()
{
    const int n = 1 << 20;
    float *now, *next;
    cudaMallocManaged(&now, n * sizeof(float));
    cudaMallocManaged(&next, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        now[i] = i % 2;
        next[i] = 0;
    }

    cudaMemPrefetchAsync(now, n * sizeof(float), 0);
    cudaMemPrefetchAsync(next, n * sizeof(float), 0);
    step<<<n / 256, 256>>>(now, next, n);
    cudaDeviceSynchronize();

    for (int i = 1; i < n - 1; i++)
        if (next[i] != 0.5f) {
            printf("point %d is wrong: %g\n", i, next[i]);
            return 1;
        }
    printf("correct\n");
    cudaFree(now);
    cudaFree(next);
    return 0;
}
