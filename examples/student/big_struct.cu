// big_struct.cu - every cell of a room cools down.
#include <cmath>
#include <cstdio>
#include <vector>

struct Cell {
    float x, y, z;
    float velocity[3];
    float pressure;
    float temperature;
    int material, flags;
    double energy;
};

__global__ void cool(Cell *cells, float outside, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i].temperature += 0.1f * (outside - cells[i].temperature);
}

int main()
{
    const int n = 1000000;
    std::vector<Cell> cells(n);
    for (int i = 0; i < n; i++) {
        cells[i] = Cell();
        cells[i].temperature = i % 100;
    }
    Cell *d_cells;
    cudaMalloc(&d_cells, n * sizeof(Cell));
    cudaMemcpy(d_cells, cells.data(), n * sizeof(Cell), cudaMemcpyHostToDevice);

    cool<<<(n + 255) / 256, 256>>>(d_cells, 10, n);

    cudaMemcpy(cells.data(), d_cells, n * sizeof(Cell), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (fabs(cells[i].temperature - (0.9f * (i % 100) + 1)) > 1e-4f) {
            printf("cell %d is wrong: %g\n", i, cells[i].temperature);
            return 1;
        }
    printf("correct\n");
    return 0;
}
