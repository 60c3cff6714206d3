// divergent_loop.cu - the mean of each station's readings; some stations have many, most have few.
#include <cmath>
#include <cstdio>
#include <cstdlib>

const int STATIONS = 1 << 18, MOST = 64;

// reading k of station s is at readings[k * STATIONS + s]
__global__ void average(const float *readings, const int *count, float *mean)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    int n = count[s];
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += readings[k * STATIONS + s];
    mean[s] = sum / n;
}

int main()
{
    float *readings = (float *)malloc(sizeof(float) * STATIONS * MOST);
    float *mean = (float *)malloc(sizeof(float) * STATIONS);
    int *count = (int *)malloc(sizeof(int) * STATIONS);
    srand(5);
    for (int s = 0; s < STATIONS; s++)
        count[s] = rand() % 16 == 0 ? MOST - rand() % 16 : 1 + rand() % 4;
    for (int i = 0; i < STATIONS * MOST; i++)
        readings[i] = rand() % 100;

    float *d_readings, *d_mean;
    int *d_count;
    cudaMalloc(&d_readings, sizeof(float) * STATIONS * MOST);
    cudaMalloc(&d_mean, sizeof(float) * STATIONS);
    cudaMalloc(&d_count, sizeof(int) * STATIONS);
    cudaMemcpy(d_readings, readings, sizeof(float) * STATIONS * MOST, cudaMemcpyHostToDevice);
    cudaMemcpy(d_count, count, sizeof(int) * STATIONS, cudaMemcpyHostToDevice);

    average<<<STATIONS / 256, 256>>>(d_readings, d_count, d_mean);

    cudaMemcpy(mean, d_mean, sizeof(float) * STATIONS, cudaMemcpyDeviceToHost);
    for (int s = 0; s < STATIONS; s++) {
        double sum = 0;
        for (int k = 0; k < count[s]; k++)
            sum += readings[k * STATIONS + s];
        if (fabs(mean[s] - sum / count[s]) > 1e-3) {
            printf("station %d is wrong: %g\n", s, mean[s]);
            return 1;
        }
    }
    printf("correct\n");
    return 0;
}
