// atomics.cu - how many measurements are above a threshold?
#include <cstdio>
#include <cstdlib>

__global__ void count_above(const float *values, int n, float threshold, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > threshold)
        atomicAdd(count, 1);
}

int main()
{
    const int n = 200000;
    float *values = (float *)malloc(n * sizeof(float));
    int expected = 0, count = 0;
    srand(1);
    for (int i = 0; i < n; i++) {
        values[i] = rand() / (float)RAND_MAX;
        expected += values[i] > 0.3f;
    }
    float *d_values;
    int *d_count;
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_values, values, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_count, &count, sizeof(int), cudaMemcpyHostToDevice);

    count_above<<<(n + 127) / 128, 128>>>(d_values, n, 0.3f, d_count);

    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d of %d: %s\n", count, n, count == expected ? "correct" : "wrong");
    return count != expected;
}
