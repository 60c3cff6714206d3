// local_arrays.cu - which local arrays are in registers, and which in memory: a kernel for each condition. Behind `//:` stands
// whether a thread loads from local memory (ldl) and stores to it (stl) by nvcc's machine code for sm_90: `some`, or nothing;
// tests/widths.py asks warplens for it, and with --nvcc the compiler. Each array is handed to a function: of others gcc
// says no accesses, also where nvcc has some.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 4 };
#define KERNEL(name) __global__ void name(const float *p, float *out, int n)
#define I threadIdx.x

__device__ void addRow(float s[N][N], int row, float x)
{
    for (int j = 0; j < N; j++)
        s[row][j] += x * j;
}
__device__ void putAll(const float *s, float *out, int count)
{
    for (int i = 0; i < count; i++)
        out[I * count + i] = s[i];
}
__device__ void fill(float *s, float x, int count)
{
    for (int i = 0; i < count; i++)
        s[i] = x * i;
}
__device__ void addOne(float *s, int at, float x)
{
    s[at] += x;
}
__device__ __noinline__ float called(const float *s, int which)
{
    return s[which] + s[0];
}

//: tileOfSums ldl stl
KERNEL(tileOfSums)
{
    float s[N][N];
    fill(&s[0][0], p[I], N * N);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++)
            addRow(s, i, p[k * N + i]);
    putAll(&s[0][0], out, N * N);
}
//: byPragma ldl stl
KERNEL(byPragma)
{
    float s[N * N];
#pragma unroll
    for (int i = 0; i < N * N; i++)
        s[i] = p[I + i];
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = N * N - 1; i >= 0; i--)
            s[i] += p[k + i];
    }
    putAll(s, out, N * N);
}
//: turns ldl stl
KERNEL(turns)
{
    float stage[2][N], sum = 0;
    fill(stage[0], p[I], N);
    for (int k = 0; k < 8; k++) {
        fill(stage[(k + 1) & 1], p[I + k], N);
        for (int i = 0; i < N; i++)
            sum += stage[k & 1][i];
    }
    out[I] = sum;
}
//: byFours ldl stl
KERNEL(byFours)
{
    float s[2 * N];
    for (int i = 0; i < 2 * N; i += 4)
        *(float4 *)&s[i] = *(const float4 *)&p[I * 2 * N + i];
    for (int k = 0; k < n; k++)
        fill(s, s[N], 2 * N);
    putAll(s, out, 2 * N);
}
//: byReference ldl stl
KERNEL(byReference)
{
    float s[N];
    fill(s, p[I], N);
    auto add = [&](int i, float x) { s[i] += x; };
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++)
            add(i, p[k]);
    putAll(s, out, N);
}
//: underCondition ldl stl
KERNEL(underCondition)
{
    float s[N];
    fill(s, p[I], N);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++)
            if (p[k] > i)
                s[i] += p[k];
    putAll(s, out, N);
}

//: byCounterToN ldl some
KERNEL(byCounterToN)
{
    float s[32], *at = s;
    fill(s, p[I], 32);
    for (int k = 1; k < n; k++)
        addOne(at, k, p[k]);
    out[I] = called(s, n);
}
//: handedOver ldl some stl some
KERNEL(handedOver)
{
    float s[N];
    fill(s, p[I], N);
    out[I] = called(s, n);
}
//: tooLarge ldl some
KERNEL(tooLarge)
{
    float s[400];
    for (int i = 0; i < 400; i++)
        s[i] = p[I + i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 400; i++)
            s[i] += p[k] * s[399 - i];
    putAll(s, out, 400);
}

int main()
{
    float *p, *out;
    cudaMalloc(&p, 4096 * sizeof *p);
    cudaMalloc(&out, 32 * 400 * sizeof *out);
    cudaMemset(p, 0, 4096 * sizeof *p);
    tileOfSums<<<1, 32>>>(p, out, 3);
    byPragma<<<1, 32>>>(p, out, 3);
    turns<<<1, 32>>>(p, out, 3);
    byFours<<<1, 32>>>(p, out, 3);
    byReference<<<1, 32>>>(p, out, 3);
    underCondition<<<1, 32>>>(p, out, 3);
    byCounterToN<<<1, 32>>>(p, out, 3);
    handedOver<<<1, 32>>>(p, out, 3);
    tooLarge<<<1, 32>>>(p, out, 3);
    const bool all = cudaDeviceSynchronize() == cudaSuccess;
    printf("%s\n", all ? "PASSED" : "FAILED");
    return !all;
}
