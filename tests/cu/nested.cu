// nested.cu - kernels that launch kernels: what they launch runs behind them, with the arguments of that
// moment.
#include "check.h"

struct range {
    int *data;
    int first, count;
};

__global__ void add(range r, int by)
{
    int i = r.first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < r.first + r.count)
        r.data[i] += by;
}

// Halves until pieces are of 64 elements: every level is a launch of the one above.
__global__ void halve(range r, int depth)
{
    if (threadIdx.x == 0 && r.count > 64) {
        range low = {r.data, r.first, r.count / 2}, high = {r.data, r.first + r.count / 2, r.count / 2};
        halve<<<1, 32>>>(low, depth + 1);
        halve<<<1, 32>>>(high, depth + 1);
        low.data = nullptr; // theirs are copies
    } else if (threadIdx.x == 0) {
        add<<<(r.count + 31) / 32, 32>>>(r, depth);
    }
}

template <typename T> __global__ void fill(T *data, T value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <typename T> __global__ void fill_in_turn(T *data, T value)
{
    if (threadIdx.x == 0)
        fill<T><<<2, 32>>>(data + 64 * blockIdx.x, value + (T)blockIdx.x);
}

int main()
{
    const int n = 1024;
    int *data;
    double *reals, real;
    CHECK_CALL(cudaMallocManaged(&data, n * sizeof(int)));
    CHECK_CALL(cudaMalloc(&reals, 256 * sizeof(double)));
    for (int i = 0; i < n; i++)
        data[i] = i;
    halve<<<1, 32>>>(range{data, 0, n}, 0);
    fill_in_turn<<<4, 32>>>(reals, 0.5);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        CHECK_THAT(data[i] == i + 4);
    for (int i = 0; i < 256; i++) {
        CHECK_CALL(cudaMemcpy(&real, reals + i, sizeof real, cudaMemcpyDeviceToHost));
        CHECK_THAT(real == 0.5 + i / 64);
    }
    printf("PASSED\n");
    return 0;
}
