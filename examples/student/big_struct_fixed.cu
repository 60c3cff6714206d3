// big_struct_fixed.cu - the same: temperatures are an array of their own.
#include <cmath>
#include <cstdio>
#include <vector>

struct Cell {
    float x, y, z;
    float velocity[3];
    float pressure;
    int material, flags;
    double energy;
};

__global__ void cool(float *temperature, float outside, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        temperature[i] += 0.1f * (outside - temperature[i]);
}

int main()
{
    const int n = 1000000;
    std::vector<Cell> cells(n);
    std::vector<float> temperature(n);
    for (int i = 0; i < n; i++) {
        cells[i] = Cell();
        temperature[i] = i % 100;
    }
    Cell *d_cells;
    float *d_temperature;
    cudaMalloc(&d_cells, n * sizeof(Cell));
    cudaMalloc(&d_temperature, n * sizeof(float));
    cudaMemcpy(d_cells, cells.data(), n * sizeof(Cell), cudaMemcpyHostToDevice);
    cudaMemcpy(d_temperature, temperature.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    cool<<<(n + 255) / 256, 256>>>(d_temperature, 10, n);

    cudaMemcpy(temperature.data(), d_temperature, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (fabs(temperature[i] - (0.9f * (i % 100) + 1)) > 1e-4f) {
            printf("cell %d is wrong: %g\n", i, temperature[i]);
            return 1;
        }
    printf("correct\n");
    return 0;
}
