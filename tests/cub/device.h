// device.h - what the programs of this folder that call CUB's algorithms for the device share.
#pragma once
#include <algorithm>
#include <vector>

#include "check.h"

static const int N = 3000;

/* Asks for the storage, then runs. */
template <class Run> static void run(Run algorithm)
{
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK_CALL(algorithm(storage, bytes));
    CHECK_THAT(bytes > 0);
    CHECK_CALL(cudaMalloc(&storage, bytes));
    CHECK_CALL(algorithm(storage, bytes));
    CHECK_CALL(cudaFree(storage));
}

template <class T> struct on_device {
    T *data;
    size_t count;
    explicit on_device(size_t n) : count(n)
    {
        CHECK_CALL(cudaMalloc(&data, n * sizeof(T)));
    }
    explicit on_device(const std::vector<T> &from) : on_device(from.size())
    {
        CHECK_CALL(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~on_device()
    {
        cudaFree(data);
    }
    std::vector<T> get() const
    {
        std::vector<T> to(count);
        CHECK_CALL(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};

static inline std::vector<int> numbers(int n, int range)
{
    std::vector<int> values(n);
    unsigned state = 7;
    for (int &x : values)
        x = (int)((state = state * 1664525 + 1013904223) >> 16) % range - range / 3;
    return values;
}

struct is_even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
