/* launch_forms.cu - launches as programs write them: default arguments, null pointers, chevrons that a formatter
 * has taken apart, ranks of the grid, parameters of many bytes.
 */
#include <cooperative_groups.h>
#include <stdio.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void fill(int *out, int value = 4, const int *more = NULL);
__global__ void fill(int *out, int value, const int *more)
{
    out[threadIdx.x] = more ? more[threadIdx.x] : value;
}
template <bool Twice> __global__ void pick(int *out, const int *a, const int *b)
{
    out[threadIdx.x] = (Twice ? 2 : 1) * (b ? b[threadIdx.x] : a ? a[threadIdx.x] : 7);
}
template <class T> __global__ void set(T *out, T value)
{
    out[threadIdx.x] = value;
}
/* As in a header that was not brought up to date: declared, and nowhere defined. */
__global__ void outdated(int *out);
__global__ void outdated(int *out, int value)
{
    out[threadIdx.x] = value;
}
template <class... Values> __global__ void count(int *out, Values... values)
{
    out[threadIdx.x] = (0 + ... + values);
}

/* Of both sides: the host calls it where nothing is launched, in a grid of one thread. */
__host__ __device__ unsigned step()
{
#ifdef __CUDA_ARCH__
    return blockIdx.x + threadIdx.x + blockDim.x * gridDim.x;
#else
    return 1;
#endif
}

/* Declared with more parameters than it has: another kernel, which nobody defines. */
__global__ void several(int *out, int value, int more);
__global__ void several(int *out, int value)
{
    out[threadIdx.x] = value;
}

/* A loop over the grid by the groups' ranks. */
__global__ void strides(unsigned *out, unsigned n)
{
    cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
        out[i] = (unsigned)(grid.num_blocks() * 1000 + grid.block_rank());
    if (grid.thread_rank() == 0)
        out[n] = grid.is_valid() ? 1 : 2;
}

struct large {
    int values[8100];
};
__global__ void sum_large(const __grid_constant__ large p, int *out)
{
    int sum = 0;
    for (int i = (int)threadIdx.x; i < 8100; i += 32)
        sum += p.values[i];
    atomicAdd(out, sum);
}
/* A lane's own parameter may be written, by each lane. */
__global__ void write_large(large p, int *out)
{
    p.values[7] += (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = p.values[7];
}

template <int Times, class T> __global__ void scale(T *out, const T *from)
{
    out[threadIdx.x] = Times * from[threadIdx.x];
}
/* From within a lambda, by a constant of the function around it, and with pointers that nothing else points to. */
template <class T> void scale_by_seven(T *__restrict__ out, const T *__restrict__ from)
{
    constexpr int times = 7;
    constexpr unsigned lanes = 32;
    auto run = [&] { scale<times><<<1, lanes + times - times>>>(out, from); };
    auto run_again = [&] { scale<lanes, T><<<1, lanes>>>(out, from); };
    run_again();
    run();
}

static int *d, h[1024];

static bool all_are(int value)
{
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (h[i] != value)
            return false;
    return true;
}

int main()
{
    int *ones;
    CHECK_THAT(step() == 1);
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&ones, 128);
    for (int i = 0; i < 32; i++)
        h[i] = 1;
    cudaMemcpy(ones, h, 128, cudaMemcpyHostToDevice);

    fill<<<1, 32>>>(d);
    CHECK_THAT(all_are(4));
    fill<<<1, 32>>>(d, 5);
    CHECK_THAT(all_are(5));
    fill<<<1, 32>>>(d, 5, ones);
    CHECK_THAT(all_are(1));
    fill<<<1, 32>>>(d, 6, 0);
    CHECK_THAT(all_are(6));
    fill
    <<<1, 32>>>
    (d,
     NULL);
    CHECK_THAT(all_are(0));

    pick<false><<<1, 32>>>(d, NULL, 0);
    CHECK_THAT(all_are(7));
    pick<true><<<1, 32>>>(d, ones, NULL);
    CHECK_THAT(all_are(2));
    pick<true><<<1, 32>>>(d, 0, ones);
    CHECK_THAT(all_are(2));
    pick<true><<<1, 32>>>(d, nullptr, nullptr);
    CHECK_THAT(all_are(14));
    set<<<1, 32>>>(d, 0);
    CHECK_THAT(all_are(0));
    count<<<1, 32>>>(d, 0, 2, 3);
    CHECK_THAT(all_are(5));

    outdated<<<1, 32>>>(d, 6);
    CHECK_THAT(all_are(6));
    several<<<1, 32>>>(d, 3);
    CHECK_THAT(all_are(3) && step() == 1);

    scale_by_seven(d, (const int *)d);
    CHECK_THAT(all_are(3 * 32 * 7));

    set << <1, 32 >> > (d, 8);
    CHECK_THAT(all_are(8));
    fill << <dim3(1), 32, 0 >> > (d, 9);
    CHECK_THAT(all_are(9));
    CHECK_THAT((1 << 3 >> 1) == 4);

    strides<<<dim3(2, 3), dim3(8, 4)>>>((unsigned *)d, 1000);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    CHECK_THAT(h[0] == 6000 && h[31] == 6000 && h[32] == 6001 && h[191] == 6005 && h[192] == 6000);
    CHECK_THAT(h[999] == 6001 && h[1000] == 2);

    static large p;
    for (int i = 0; i < 8100; i++)
        p.values[i] = 2;
    cudaMemset(d, 0, 4);
    sum_large<<<1, 32>>>(p, d);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
    CHECK_THAT(h[0] == 16200);
    write_large<<<1, 32>>>(p, d);
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        CHECK_THAT(h[i] == 2 + i);
    CHECK_THAT(p.values[7] == 2 && cudaDeviceSynchronize() == cudaSuccess);
    puts("PASSED");
    return 0;
}
