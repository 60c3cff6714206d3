// misaligned_fixed.cu - the same: the header stays on the host, samples begin where the array does.
#include <cstdio>
#include <cstdlib>

__global__ void copy_samples(const int *recording, int *samples, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        samples[i] = recording[i];
}

int main()
{
    const int n = 1 << 21;
    int *recording = (int *)malloc((n + 1) * sizeof(int));
    int *samples = (int *)malloc(n * sizeof(int));
    recording[0] = -1;
    for (int i = 0; i < n; i++)
        recording[i + 1] = i;
    int *d_recording, *d_samples;
    cudaMalloc(&d_recording, n * sizeof(int));
    cudaMalloc(&d_samples, n * sizeof(int));
    cudaMemcpy(d_recording, recording + 1, n * sizeof(int), cudaMemcpyHostToDevice);

    copy_samples<<<n / 256, 256>>>(d_recording, d_samples, n);

    cudaMemcpy(samples, d_samples, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (samples[i] != i) {
            printf("sample %d is wrong\n", i);
            return 1;
        }
    printf("correct\n");
    return 0;
}
