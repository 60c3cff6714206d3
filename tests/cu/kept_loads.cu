// kept_loads.cu - which loads nvcc makes once in front of a loop that has them in each iteration: a kernel for each condition.
// Behind `//:` stands how many loads of global memory (ldg) and of shared memory (ld) a thread makes where each loop that is
// not unrolled whole goes round N times (what warplens has / what nvcc has where they are not equal), by nvcc's machine code for
// sm_90; tests/kept_loads.py asks warplens for it, and with --nvcc the compiler.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 3, FEW = 8, MANY = 64, TOO_MANY = 128 };
#define KERNEL(name) __global__ void name(const float *p, const float *q, float *out, int n)
#define I threadIdx.x
#define LOOP(k) _Pragma("unroll 1") for (int k = 0; k < n; k++)

__device__ float product(const float *a, const float *b, int length)
{
    float sum = 0;
    for (int d = 0; d < length; d++)
        sum += a[d] * b[d];
    return sum;
}
__device__ float distance(const float *a, const float *b, int length)
{
    float sum = 0;
    for (int d = 0; d < length; d++) {
        const float apart = a[d] - b[d];
        sum += apart * apart;
    }
    return sum;
}

//: nearest ldg 32
KERNEL(nearest)
{
    float least = 1e30f;
    LOOP (k)
        least = fminf(least, distance(p + I * FEW, q + k * FEW, FEW));
    out[I] = least;
}
//: upTo64 ldg 256
KERNEL(upTo64)
{
    float most = 0;
    LOOP (k)
        most = fmaxf(most, product(p + I * MANY, q + k * MANY, MANY));
    out[I] = most;
}
// Not unrolled whole but by 16; so often goes the inner loop round, and not N times as in what nvcc's code is asked for.
//: notOf128 ldg 768/288
KERNEL(notOf128)
{
    float most = 0;
    LOOP (k)
        most = fmaxf(most, product(p + I * TOO_MANY, q + k * TOO_MANY, TOO_MANY));
    out[I] = most;
}
//: notOverStores ldg 48
KERNEL(notOverStores)
{
    LOOP (k)
        out[I * n + k] = product(p + I * FEW, q + k * FEW, FEW);
}
//: notUnderCondition ldg 51
KERNEL(notUnderCondition)
{
    float most = 0;
    LOOP (k)
        if (q[k] > 0)
            most = fmaxf(most, product(p + I * FEW, q + k * FEW, FEW));
    out[I] = most;
}
//: notBehindBreak ldg 51
KERNEL(notBehindBreak)
{
    float most = 0;
    LOOP (k) {
        if (q[k] < 0)
            break;
        most = fmaxf(most, product(p + I * FEW, q + k * FEW, FEW));
    }
    out[I] = most;
}
//: inFrontOfBreak ldg 32
KERNEL(inFrontOfBreak)
{
    float most = 0;
    LOOP (k) {
        most = fmaxf(most, product(p + I * FEW, q + k * FEW, FEW));
        if (most < 0)
            break;
    }
    out[I] = most;
}
//: overMathematics ldg 32
KERNEL(overMathematics)
{
    float sum = 0;
    LOOP (k)
        sum += expf(-distance(p + I * FEW, q + k * FEW, FEW));
    out[I] = sum;
}
//: overSharedStores ldg 32
KERNEL(overSharedStores)
{
    __shared__ float last[32];
    LOOP (k)
        last[I] += product(p + I * FEW, q + k * FEW, FEW);
    out[I] = last[I];
}
//: notOverBarriers ldg 48
KERNEL(notOverBarriers)
{
    __shared__ float last[32];
    float sum = 0;
    LOOP (k) {
        last[I] = product(p + I * FEW, q + k * FEW, FEW);
        __syncthreads();
        sum += last[I ^ 1];
        __syncthreads();
    }
    out[I] = sum;
}
// Again in front of each inner loop: what is between them stores.
//: againAfterStore ldg 96
KERNEL(againAfterStore)
{
    LOOP (j) {
        float most = 0;
        LOOP (k)
            most = fmaxf(most, product(p + I * FEW, q + k * FEW, FEW));
        out[I * n + j] = most;
    }
}
//: overTwoLoops ldg 80
KERNEL(overTwoLoops)
{
    float most = 0;
    LOOP (j)
        LOOP (k)
            most = fmaxf(most, product(p + I * FEW, q + (j * n + k) * FEW, FEW));
    out[I] = most;
}
// Each window is loaded anew by nvcc, though its words have been loaded for the one before.
//: window ldg 96
KERNEL(window)
{
    float most = 0;
    LOOP (j)
        LOOP (k)
            most = fmaxf(most, product(p + I + j, q + k * FEW, FEW));
    out[I] = most;
}
//: ofNineTaps ldg 36
KERNEL(ofNineTaps)
{
    float sum = 0;
    LOOP (k)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                sum += p[3 * y + x] * q[I + k + y * 32 + x];
    out[I] = sum;
}
// Four of a kind are one load of 16 bytes.
//: ofShared ldg 24 ld 2
KERNEL(ofShared)
{
    __shared__ float centre[FEW];
    if (I < FEW)
        centre[I] = 1;
    __syncthreads();
    float most = 0;
    LOOP (k)
        most = fmaxf(most, product(centre, q + k * FEW, FEW));
    out[I] = most;
}
//: notOfSharedOverStores ldg 24 ld 7
KERNEL(notOfSharedOverStores)
{
    __shared__ float centre[FEW];
    centre[I % FEW] = 1;
    __syncthreads();
    LOOP (k)
        centre[I % FEW] += product(centre, q + k * FEW, FEW);
    out[I] = centre[I % FEW];
}

__constant__ float table[64];
// Constants at one address are operands; at others they are loads like any other.
//: ofConstants ldc 8
KERNEL(ofConstants)
{
    float sum = 0;
    LOOP (k)
        for (int d = 0; d < FEW; d++)
            sum += table[I % 8 * FEW + d] * q[k * FEW + d];
    out[I] = sum;
}
//: notOfOperands ldc 24
KERNEL(notOfOperands)
{
    float sum = 0;
    LOOP (k)
        for (int d = 0; d < FEW; d++)
            sum += table[d] * q[k * FEW + d];
    out[I] = sum;
}

#undef KERNEL
#define KERNEL(name)                                                                               \
    name<<<1, 32>>>(p, q, out, N);                                                                 \
    if (cudaDeviceSynchronize() != cudaSuccess)                                                    \
        return 1;

int main()
{
    enum { WORDS = 32 * TOO_MANY };
    float *p, *q, *out, ones[WORDS];
    for (int i = 0; i < WORDS; i++)
        ones[i] = 1;
    cudaMalloc(&p, sizeof ones);
    cudaMalloc(&q, sizeof ones);
    cudaMalloc(&out, sizeof ones);
    cudaMemcpy(p, ones, sizeof ones, cudaMemcpyHostToDevice);
    cudaMemcpy(q, ones, sizeof ones, cudaMemcpyHostToDevice);
    KERNEL(nearest)
    KERNEL(upTo64)
    KERNEL(notOf128)
    KERNEL(notOverStores)
    KERNEL(notUnderCondition)
    KERNEL(notBehindBreak)
    KERNEL(inFrontOfBreak)
    KERNEL(overMathematics)
    KERNEL(overSharedStores)
    KERNEL(notOverBarriers)
    KERNEL(againAfterStore)
    KERNEL(overTwoLoops)
    KERNEL(window)
    KERNEL(ofNineTaps)
    KERNEL(ofShared)
    KERNEL(notOfSharedOverStores)
    KERNEL(ofConstants)
    KERNEL(notOfOperands)
    printf("PASSED\n");
    return 0;
}
