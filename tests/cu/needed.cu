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
// What is loaded is in the array that is stored to, a known distance away.
//: knownApart out out out >out >out >out
__global__ void knownApart(const unsigned *__restrict__ p, const unsigned *__restrict__ q,
                           unsigned *__restrict__ out)
{
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = out[32 * (k + 1) + I] + 1;
}
// A distance that is not known.
//: notKnownApart out >out out >out out >out
__global__ void notKnownApart(unsigned *__restrict__ out, int n)
{
    for (int k = 0; k < 3; k++)
        out[n * k + I] = out[n * (k + 1) + I] + 1;
}
// The same place.
//: sameEachTime out >out out >out out >out
__global__ void sameEachTime(unsigned *out)
{
    for (int k = 0; k < 3; k++) {
        out[I] = out[I] * 3 + 1;
        __threadfence();
    }
}
// Pointers to what is const are no constants.
//: notOfPointersToConst out >out out >out out >out
__global__ void notOfPointersToConst(const unsigned **__restrict__ out, int n)
{
    for (int k = 0; k < 3; k++)
        out[n * k + I] = out[n * (k + 1) + I];
}
// What lanes give each other keeps nothing back, nor does a loop in the loop that is unrolled whole.
//: pastShuffles p p p p >out >out >out >out p p p p >out >out >out >out
__global__ void pastShuffles(const unsigned *__restrict__ p, unsigned *__restrict__ out, int n)
{
    for (int k = 0; k < n; k++) {
        unsigned v = p[32 * k + I];
        for (int step = 1; step < 32; step *= 2)
            v += __shfl_xor_sync(~0u, v, step);
        out[32 * k + I] = v;
    }
}
// A shared store in front of a branch that is left: what is behind it waits for what was stored. ptxas carries out no side under a
// predicate that has an access under a further condition.
//: behindHalo p q.0 r.0 >out
__global__ void behindHalo(const unsigned *p, const unsigned *q, const unsigned *r, unsigned *out, int n)
{
    __shared__ unsigned s[34];
    s[I + 1] = p[I];
    if (I == 0)
        s[0] = n > 5 ? q[n] : 0;
    if (I < 2)
        s[32 + I] = n > 7 ? r[n + 1] : 0;
    __syncthreads();
    out[I] = s[I] + s[I + 2];
}
//: besideHalo p q r >out
__global__ void besideHalo(const unsigned *p, const unsigned *q, const unsigned *r, unsigned *out, int n)
{
    __shared__ unsigned s[34];
    s[I + 1] = p[I];
    if (I == 0 && n > 5)
        s[0] = q[n];
    if (I < 2)
        s[32 + I] = r[n + 1];
    __syncthreads();
    out[I] = s[I] + s[I + 2];
}
// A load on a side of a branch that is left stays in its iteration.
//: onASide p >out p >out p >out p >out
__global__ void onASide(const unsigned *__restrict__ p, unsigned *__restrict__ out, int n)
{
    for (int k = 0; k < n; k++)
        if ((I + k) % 7 != 6) {
            unsigned v = p[32 * k + I];
            for (int step = 1; step < n; step++)
                v = hash(v) + step;
            out[32 * k + I] = v;
        }
}
// That lanes have returned in front of a loop keeps nothing in its iterations.
//: behindReturn p p p >out >out >out
__global__ void behindReturn(const unsigned *__restrict__ p, unsigned *__restrict__ out, unsigned n)
{
    if (I >= n)
        return;
    for (int k = 0; k < 3; k++)
        out[32 * k + I] = p[32 * k + I] + 1;
}
// An iteration of more than 50 instructions: two are together. And of more than 100.
#define TEN(v) v = (v ^ v >> 7) * 5 + n, v = (v ^ v >> 9) * 3 + n, v = (v ^ v >> 8)
//: byTwo p p q.1 q.1 p.0 p q.1 q.1 >out
__global__ void byTwo(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned v = q[hash(p[k * n + I])];
        TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v);
        sum += v;
    }
    out[I] = sum;
}
//: byItself p q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void byItself(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned v = q[hash(p[k * n + I])];
        TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v), TEN(v);
        sum += v;
    }
    out[I] = sum;
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
// Steps that are variables, by nvcc's PTX and machine code: a signed counter that goes up to below a bound is unrolled by four.
#define AT(i) sum += q[hash(p[i])]
//: stepsByInt p p p p q.3 q.3 q.3 q.3 p.0 q.0 p.0 q.0 >out
__global__ void stepsByInt(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, int step)
{
    unsigned sum = 0;
    for (int i = I; i < n; i += step)
        AT(i);
    out[I] = sum;
}
//: stepsByGrid p p p p q.3 q.3 q.3 q.3 p.0 q.0 p.0 q.0 >out
__global__ void stepsByGrid(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    const int threads = gridDim.x * blockDim.x;
    for (int i = I; i < n; i += threads)
        AT(i);
    out[I] = sum;
}
//: stepsByUnsigned p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void stepsByUnsigned(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int i = I; i < n; i += blockDim.x)
        AT(i);
    out[I] = sum;
}
//: stepsAlongRow p p.0 p.0 p.0 p.0 p.0 >out
__global__ void stepsAlongRow(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int c = threadIdx.x; c < n; c += blockDim.x)
        sum += p[blockIdx.x * n + c];
    out[I] = sum;
}
//: stepsUnsigned p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void stepsUnsigned(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, unsigned step)
{
    unsigned sum = 0;
    for (unsigned i = I; i < n; i += step)
        AT(i);
    out[I] = sum;
}
//: stepsUpToAndWith p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void stepsUpToAndWith(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, int step)
{
    unsigned sum = 0;
    for (int i = I; i <= n; i += step)
        AT(i);
    out[I] = sum;
}
//: stepsDown p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void stepsDown(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, int step)
{
    unsigned sum = 0;
    for (int i = n - 32 + (int)I; i >= 0; i -= step)
        AT(i);
    out[I] = sum;
}
//: stepsAgain p p p p q.3 q.3 q.3 q.3 p.0 q.0 p.0 q.0 p.0 p p p q.3 q.3 q.3 q.3 p.0 q.0 p.0 q.0 >out
__global__ void stepsAgain(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, int step)
{
    unsigned sum = 0;
    for (int k = 0; k < n / 96; k++)
        for (int i = I; i < n; i += step)
            AT(i);
    out[I] = sum;
}
//: stepsFromElsewhere p q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 p.0 q.0 >out
__global__ void stepsFromElsewhere(const unsigned *__restrict__ p, const unsigned *__restrict__ q, unsigned *out, int n, int step)
{
    unsigned sum = 0;
    for (int k = 0; k < n / 96; k++)
        for (int i = I + k; i < n; i += step)
            AT(i);
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
    knownApart<<<1, 32>>>(p, q, out);
    notKnownApart<<<1, 32>>>(out, 32);
    sameEachTime<<<1, 32>>>(out);
    notOfPointersToConst<<<1, 32>>>((const unsigned **)out, 32);
    behindHalo<<<1, 32>>>(p, q, r, out, 9);
    besideHalo<<<1, 32>>>(p, q, r, out, 9);
    onASide<<<1, 32>>>(p, out, 4);
    behindReturn<<<1, 32>>>(p, out, 30);
    byTwo<<<1, 32>>>(p, q, out, 4);
    byItself<<<1, 32>>>(p, q, out, 4);
    pastShuffles<<<1, 32>>>(p, out, 8);
    inAnIteration<<<1, 32>>>(p, q, r, out);
    unrolledAsItLikes<<<1, 32>>>(p, q, out, 6);
    notUnrolled<<<1, 32>>>(p, q, out, 6);
    unrolledByTwo<<<1, 32>>>(p, q, out, 6);
    unrolledByThree<<<1, 32>>>(p, q, out, 6);
    stepsByInt<<<1, 32>>>(p, q, out, 192, 32);
    stepsByGrid<<<1, 32>>>(p, q, out, 192);
    stepsByUnsigned<<<1, 32>>>(p, q, out, 192);
    stepsAlongRow<<<1, 32>>>(p, q, out, 192);
    stepsUnsigned<<<1, 32>>>(p, q, out, 192, 32);
    stepsUpToAndWith<<<1, 32>>>(p, q, out, 191, 32);
    stepsDown<<<1, 32>>>(p, q, out, 192, 32);
    stepsAgain<<<1, 32>>>(p, q, out, 192, 32);
    stepsFromElsewhere<<<1, 32>>>(p, q, out, 192, 32);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("PASSED\n");
    return 0;
}
