// check: sm_60 unwritten_global @end
// check: sm_90 unwritten_global @end
// A matrix of n rows has n + 1 row starts, but only n of them are copied to the device; the last
// row reads an end that nobody wrote.
#include <cstdio>
#include <vector>

// y = A x, one thread a row; the rows of A one after another (starts, columns, values).
__global__ void multiply(int n, int entries, const int* starts, const int* columns,
                         const float* values, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    int first = starts[row];
    int end = starts[row + 1];  // @end
    if (end > entries) end = entries;
    float sum = 0;
    for (int k = first; k < end; k++) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

template <typename T>
T* toDevice(const std::vector<T>& v, size_t count) {
    T* p;
    cudaMalloc(&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

int main() {
    const int n = 100;
    std::vector<int> starts(1, 0), columns;
    std::vector<float> values, x(n, 1.0f), y(n);
    for (int r = 0; r < n; r++) {
        for (int c = r > 0 ? r - 1 : 0; c <= r + 1 && c < n; c++) {
            columns.push_back(c);
            values.push_back(c == r ? 2.0f : -1.0f);
        }
        starts.push_back((int)columns.size());
    }
    int* dStarts = toDevice(starts, n);
    int* dColumns = toDevice(columns, columns.size());
    float* dValues = toDevice(values, values.size());
    float* dX = toDevice(x, n);
    float* dY;
    cudaMalloc(&dY, n * sizeof(float));

    multiply<<<2, 64>>>(n, (int)columns.size(), dStarts, dColumns, dValues, dX, dY);

    cudaMemcpy(y.data(), dY, n * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (float v : y) sum += v;
    printf("sum %g\n", sum);
    return 0;
}
