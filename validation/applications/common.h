// common.h - what the application programs share: errors, arguments, inputs that are the same everywhere,
// device arrays, and the check of results. A program's last line is PASSED or FAILED.
#ifndef APPLICATIONS_COMMON_H
#define APPLICATIONS_COMMON_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>

#define CHECK(call) check_code((call), __FILE__, __LINE__)

static inline void check_code(cudaError_t code, const char *file, int line)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
    exit(1);
}

// Argument k of the program: 1 is the size, 2 how many rounds of launches.
static inline int argument(int argc, char **argv, int k, int fallback)
{
    const int value = argc > k ? atoi(argv[k]) : fallback;
    if (value > 0)
        return value;
    fprintf(stderr, "usage: %s [size [rounds]], both at least 1\n", argv[0]);
    exit(2);
}

static inline unsigned hash32(unsigned x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

// A number in [0, 1) with 16 random bits, so that sums of few of them are exact.
static inline float unit(unsigned x)
{
    return (float)(hash32(x) & 0xffff) / 65536.0f;
}

static inline std::vector<float> units(size_t count, unsigned seed)
{
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = unit((unsigned)i + seed * 0x9e3779b9u);
    return values;
}

static inline int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

template <typename T> T *to_device(const std::vector<T> &host)
{
    T *device;
    CHECK(cudaMalloc((void **)&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T> T *device_zeros(size_t count)
{
    T *device;
    CHECK(cudaMalloc((void **)&device, count * sizeof(T)));
    CHECK(cudaMemset(device, 0, count * sizeof(T)));
    return device;
}

template <typename T> std::vector<T> to_host(const T *device, size_t count)
{
    std::vector<T> host(count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// What restores a kernel's input, or clears what it adds to, between launches.
template <typename T> __global__ void copy_array(T *to, const T *from, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

template <typename T> __global__ void fill_array(T *to, T value, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = value;
}

static int wrong_arrays;

// The device array is what the host computed, each element up to tolerance times its size (or 1).
template <typename T>
void expect(const char *what, const T *device, const std::vector<T> &want, double tolerance = 0)
{
    const std::vector<T> got = to_host(device, want.size());
    for (size_t i = 0; i < want.size(); i++) {
        const double size = fabs((double)want[i]) > 1 ? fabs((double)want[i]) : 1;
        if (fabs((double)got[i] - (double)want[i]) <= tolerance * size)
            continue;
        printf("%s: element %zu is %g, not %g\n", what, i, (double)got[i], (double)want[i]);
        wrong_arrays++;
        return;
    }
}

static inline int verdict(void)
{
    CHECK(cudaDeviceSynchronize());
    puts(wrong_arrays ? "FAILED" : "PASSED");
    return wrong_arrays ? 1 : 0;
}

#endif
