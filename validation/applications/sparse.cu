// A sparse matrix times a vector: compressed rows by a thread and by a warp a row, ELL by columns, and coordinates
// with atomics.
#include "common.h"

#define WIDTH 16

__global__ void csr_scalar(const int *row, const int *column, const float *value, const float *x,
                           float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int e = row[i]; e < row[i + 1]; e++)
        sum += value[e] * x[column[e]];
    y[i] = sum;
}

__global__ void csr_vector(const int *__restrict__ row, const int *__restrict__ column,
                           const float *__restrict__ value, const float *__restrict__ x,
                           float *__restrict__ y, int n)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int e = row[i] + lane; e < row[i + 1]; e += 32)
        sum += value[e] * x[column[e]];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[i] = sum;
}

// Entry k of row i at k n + i; a column of -1 ends a row.
__global__ void ell(const int *column, const float *value, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < WIDTH; k++) {
        const int c = column[k * n + i];
        if (c < 0)
            break;
        sum += value[k * n + i] * x[c];
    }
    y[i] = sum;
}

__global__ void coordinates(const int *row, const int *column, const float *value, const float *x,
                            float *y, int entries)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < entries)
        atomicAdd(&y[row[e]], value[e] * x[column[e]]);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 16) * 1000, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> x = units(n, 1);
    std::vector<int> row(1, 0), column, of, ell_column((size_t)n * WIDTH, -1);
    std::vector<float> value, want(n), ell_value((size_t)n * WIDTH);
    for (int i = 0; i < n; i++) { // most entries near the diagonal
        const int count = 2 + hash32(i) % (WIDTH - 1);
        for (int k = 0; k < count; k++) {
            const unsigned r = hash32(i * WIDTH + k);
            const int c = (int)(r % 4 ? (i + r / 4 % 64) % n : r / 4 % n);
            column.push_back(c);
            of.push_back(i);
            value.push_back(unit(r));
            ell_column[(size_t)k * n + i] = c;
            ell_value[(size_t)k * n + i] = value.back();
            want[i] += value.back() * x[c];
        }
        row.push_back((int)column.size());
    }
    const int entries = (int)column.size();
    int *drow = to_device(row), *dcolumn = to_device(column), *dof = to_device(of),
        *dell = to_device(ell_column);
    float *dvalue = to_device(value), *dell_value = to_device(ell_value), *dx = to_device(x), *y[4];
    for (int k = 0; k < 4; k++)
        y[k] = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        csr_scalar<<<ceil_div(n, 128), 128>>>(drow, dcolumn, dvalue, dx, y[0], n);
        csr_vector<<<ceil_div(n, 8), 256>>>(drow, dcolumn, dvalue, dx, y[1], n);
        ell<<<ceil_div(n, 128), 128>>>(dell, dell_value, dx, y[2], n);
        fill_array<<<ceil_div(n, 256), 256>>>(y[3], 0.0f, n);
        coordinates<<<ceil_div(entries, 256), 256>>>(dof, dcolumn, dvalue, dx, y[3], entries);
    }
    const char *names[4] = {"csr_scalar", "csr_vector", "ell", "coordinates"};
    for (int k = 0; k < 4; k++)
        expect(names[k], y[k], want, 1e-4);
    return verdict();
}
