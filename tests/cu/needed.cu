// needed.cu - which loads a load waits for, as the kernel's machine code tells, and what loads may pass: a kernel for each case. Behind
// `//:` stand the global accesses of its warp in their order: the array that is loaded from, and behind a dot how many loads
// later than the one that it needs it comes (0: it comes behind it); a store is what it stores to, behind a >.
// tests/needed.py asks a trace for them.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 256 };
#define I threadIdx.x

__device__ unsigned hash(unsigned x)
{
    x ^= x >> 7;
    return x * 2654435761u >> 24;
}

//: hashed p q.0 >out
__global__ void hashed(const unsigned *p, const unsigned *q, unsigned *out)
{
    out[I] = q[hash(p[I])];
}
//: ofTheIndex p q >out
__global__ void ofTheIndex(const unsigned *p, const unsigned *q, unsigned *out)
{
    out[I] = p[hash(I)] + q[hash(I + 1)];
}
//: ofTheFirst p p q.1 >out
__global__ void ofTheFirst(const unsigned *p, const unsigned *q, unsigned *out)
{
    const unsigned first = p[I], second = p[I + 32];
    out[I] = q[hash(first)] + second;
}
// Of two loads that it needs, one is of the iteration before.
//: chained p p p q.2 q.0 q.0 >out
__global__ void chained(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out)
{
    unsigned sum = 0;
    for (int k = 0; k < 3; k++)
        sum = q[hash(sum ^ p[32 * k + I])];
    out[I] = sum;
}
// A word of two loads: from the later one on it is there.
//: ofBoth p q q.0 >out
__global__ void ofBoth(const unsigned *p, const unsigned *q, unsigned *out)
{
    out[I] = q[hash(p[I] ^ q[I])];
}
//: compared p p.0 p.0 >out
__global__ void compared(const unsigned *p, const unsigned *q, unsigned *out)
{
    unsigned node = 0;
    for (int level = 0; level < 3; level++)
        node = 2 * node + (p[node] < I * 8 ? 1 : 2);
    out[I] = node;
}
//: byConversion p q.0 >out
__global__ void byConversion(const unsigned *p, const unsigned *q, unsigned *out)
{
    const float x = (float)p[I] * 0.37f;
    out[I] = q[(int)sqrtf(x)];
}
//: behindCondition p q.0 >out
__global__ void behindCondition(const unsigned *p, const unsigned *q, unsigned *out)
{
    if (p[I] * 3 <= 7 * I)
        out[I] = q[I];
}
//: behindOwnCondition p q >out
__global__ void behindOwnCondition(const unsigned *p, const unsigned *q, unsigned *out)
{
    const unsigned sum = p[I];
    if (I % 3 == 0)
        out[I] = q[I] + sum;
}
// The loop's end is a condition, too.
//: behindLoop p p.0 p.0 p.0 p.0 q.0 >out
__global__ void behindLoop(const unsigned *p, const unsigned *q, unsigned *out)
{
    unsigned at = I % 4;
    while (p[at] < 100)
        at += p[at] % 5 + 1 + (at > 32 ? N / 2 : 8);
    out[I] = q[at];
}
// A long side of a branch is left to the GPU: what comes behind it waits for the condition, where sides that are carried out under
// a predicate keep nothing back.
//: behindLongSide p q.0 >out
__global__ void behindLongSide(const unsigned *p, const unsigned *q, unsigned *out)
{
    unsigned sum = p[I];
    if (sum % 3 == 0)
        for (unsigned k = 0; k < 7 + sum; k++)
            sum = sum * 5 + (sum >> 3) + k * k;
    out[I] = q[I] + sum;
}
//: behindShortSide p q >out
__global__ void behindShortSide(const unsigned *p, const unsigned *q, unsigned *out)
{
    unsigned sum = p[I];
    if (sum > 100)
        sum = sum * 5 + 1;
    out[I] = q[I] + sum;
}
//: inPlaceOfAliases p >out p >out p >out
__global__ void inPlaceOfAliases(const unsigned *p, const unsigned *q, unsigned *out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = p[32 * k + I] + 1;
}
//: overRestrictedStores p p p >out >out >out
__global__ void overRestrictedStores(const unsigned *__restrict__ p, const unsigned *__restrict__ q,
                                     unsigned *__restrict__ out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = p[32 * k + I] + 1;
}
// One such pointer is enough.
//: overOneRestricted p p p >out >out >out
__global__ void overOneRestricted(const unsigned *p, const unsigned *q, unsigned *__restrict out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = p[32 * k + I] + 1;
}
// What is loaded is in the array that is stored to.
//: notInPlace out >out out >out out >out
__global__ void notInPlace(const unsigned *__restrict__ p, const unsigned *__restrict__ q,
                           unsigned *__restrict__ out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = out[32 * (k + 1) + I] + 1;
}
// Pointers to what is const are no constants.
//: notOfPointersToConst out >out out >out out >out
__global__ void notOfPointersToConst(const unsigned **__restrict__ out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = out[32 * (k + 1) + I];
}
// An iteration of a loop that is not unrolled: what waits for nothing stands in front.
//: inAnIteration p r q.1 p.0 r q.1 p.0 r q.1 >out
__global__ void inAnIteration(const unsigned *p, const unsigned *q, const unsigned *r, unsigned *out)
{
    unsigned sum = 0;
    for (unsigned k = I; k < 3 * blockDim.x; k += blockDim.x)
        sum += q[hash(p[k])] * r[k];
    out[I] = sum;
}

// What #pragma unroll N says of a loop: six iterations in groups of N, of four, one and one where nothing is said.
#define ADD(k) sum += q[hash(p[32 * (k) + I])]
//: unrolledAsItLikes p p p p q.3 q.3 q.3 q.3 p.0 q.0 p.0 q.0 >out
__global__ void unrolledAsItLikes(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int k = 0; k < n; k++)
        ADD(k);
    out[I] = sum;
}
//: notUnrolled p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void notUnrolled(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        ADD(k);
    out[I] = sum;
}
//: unrolledByTwo p p q.1 q.1 p.0 p q.1 q.1 p.0 p q.1 q.1 >out
__global__ void unrolledByTwo(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
#pragma unroll 2
    for (int k = 0;
         k < n;
         k++)
        ADD(k);
    out[I] = sum;
}
//: unrolledByThree p p p q.2 q.2 q.2 p.0 p p q.2 q.2 q.2 >out
__global__ void unrolledByThree(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    int k = 0;
#pragma unroll (3)
    do {
        ADD(k);
        k++;
    } while (k < n);
    out[I] = sum;
}

int main()
{
    unsigned *arrays[4], numbers[N];
    for (int i = 0; i < N; i++)
        numbers[i] = i;
    for (int a = 0; a < 4; a++) {
        cudaMalloc(&arrays[a], sizeof numbers);
        cudaMemcpy(arrays[a], numbers, sizeof numbers, cudaMemcpyHostToDevice);
    }
    unsigned *p = arrays[0], *q = arrays[1], *r = arrays[2], *out = arrays[3];
    hashed<<<1, 32>>>(p, q, out);
    ofTheIndex<<<1, 32>>>(p, q, out);
    ofTheFirst<<<1, 32>>>(p, q, out);
    chained<<<1, 32>>>(p, q, out);
    ofBoth<<<1, 32>>>(p, q, out);
    compared<<<1, 32>>>(p, q, out);
    byConversion<<<1, 32>>>(p, q, out);
    behindCondition<<<1, 32>>>(p, q, out);
    behindOwnCondition<<<1, 32>>>(p, q, out);
    behindLoop<<<1, 32>>>(p, q, out);
    behindLongSide<<<1, 32>>>(p, q, out);
    behindShortSide<<<1, 32>>>(p, q, out);
    inPlaceOfAliases<<<1, 32>>>(p, q, out);
    overRestrictedStores<<<1, 32>>>(p, q, out);
    overOneRestricted<<<1, 32>>>(p, q, out);
    notInPlace<<<1, 32>>>(p, q, out);
    notOfPointersToConst<<<1, 32>>>((const unsigned **)out);
    inAnIteration<<<1, 32>>>(p, q, r, out);
    unrolledAsItLikes<<<1, 32>>>(p, q, out, 6);
    notUnrolled<<<1, 32>>>(p, q, out, 6);
    unrolledByTwo<<<1, 32>>>(p, q, out, 6);
    unrolledByThree<<<1, 32>>>(p, q, out, 6);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("PASSED\n");
    return 0;
}
