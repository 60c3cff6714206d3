// widths.cu - which neighbouring words become one access, and which do not: a kernel for each condition. Behind `//:` stands
// what a thread loads from and stores to shared memory by nvcc's machine code for sm_90, as widths in bytes times how many;
// tests/widths.py asks warplens for it, and with --nvcc the compiler.
#include <cstdio>
#include <cuda_runtime.h>

#define FILLED(array) __shared__ float array[256]; const int x = threadIdx.x; \
    for (int i = x; i < 256; i += 32) array[i] = in[i]; \
    __syncthreads(); float *p = array + (x & 31) * 4

//: fourWords ld 16*1
__global__ void fourWords(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5;
}
//: backwards ld 16*1
__global__ void backwards(const float *in, float *out)
{
    FILLED(a);
    float sum = p[3];
    sum += p[2] * 2;
    sum += p[1] * 3;
    out[x] = sum + p[0];
}
//: firstThree ld 16*1
__global__ void firstThree(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[0] + p[1] * 2 + p[2] * 3;
}
//: lastThree ld 16*1
__global__ void lastThree(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[1] + p[2] * 2 + p[3] * 3;
}
//: firstTwo ld 8*1
__global__ void firstTwo(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[0] + p[1] * 2;
}
//: lastTwo ld 8*1
__global__ void lastTwo(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[2] + p[3] * 2;
}
//: middleTwo ld 4*2
__global__ void middleTwo(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[1] + p[2] * 2;
}
//: everyOther ld 4*2
__global__ void everyOther(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[0] + p[2] * 2;
}
//: sixWords ld 16*1 8*1
__global__ void sixWords(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5 + p[4] * 7 + p[5] * 9;
}
//: acrossTwoPieces ld 4*2
__global__ void acrossTwoPieces(const float *in, float *out)
{
    FILLED(a);
    out[x] = p[3] + p[4] * 2;
}
//: laneByLane ld 4*4
__global__ void laneByLane(const float *in, float *out)
{
    FILLED(a);
    p = a + x;
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5;
}
//: unknownStride ld 4*4
__global__ void unknownStride(const float *in, float *out, int stride)
{
    FILLED(a);
    p = a + x * stride;
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5;
}
//: rowsOf16 ld 16*4
__global__ void rowsOf16(const float *in, float *out)
{
    __shared__ float a[32][16];
    int x = threadIdx.x;
    for (int i = 0; i < 16; i++)
        a[i * 2 + x / 16][x % 16] = in[x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += a[x][k] * in[k];
    out[x] = sum;
}
//: rowsOf18 ld 8*8
__global__ void rowsOf18(const float *in, float *out)
{
    __shared__ float a[32][18];
    int x = threadIdx.x;
    for (int i = 0; i < 18; i++)
        a[x][i] = in[x * 18 + i];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += a[x][k] * in[k];
    out[x] = sum;
}
//: rowsOf17 ld 4*16
__global__ void rowsOf17(const float *in, float *out)
{
    __shared__ float a[32][17];
    int x = threadIdx.x;
    for (int i = 0; i < 17; i++)
        a[x][i] = in[x * 17 + i];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += a[x][k] * in[k];
    out[x] = sum;
}
//: fromTheSecond ld 16*8
__global__ void fromTheSecond(const float *in, float *out)
{
    FILLED(a);
    float sum = p == a ? 1 : 2;
    for (int k = 1; k < 32; k++)
        sum += a[k] * x;
    out[x] = sum;
}
//: everyOtherInLoop ld 4*16
__global__ void everyOtherInLoop(const float *in, float *out)
{
    FILLED(a);
    float sum = p == a ? 1 : 2;
    for (int k = 0; k < 32; k += 2)
        sum += a[k] * x;
    out[x] = sum;
}
//: underCondition ld 16*8
__global__ void underCondition(const float *in, float *out)
{
    FILLED(a);
    float sum = p == a ? 1 : 2;
    for (int k = 0; k < 32; k++)
        if (a[k] > 5)
            sum += a[k] * x;
    out[x] = sum;
}
//: twoArrays ld 16*2
__global__ void twoArrays(const float *in, float *out)
{
    __shared__ float b[512];
    FILLED(a);
    b[x] = in[x + 1];
    b[x + 32] = in[x + 2];
    b[x + 64] = in[x + 3];
    b[x + 96] = in[x + 4];
    __syncthreads();
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5 + b[x * 4] * 7 + b[x * 4 + 1] * 9 + b[x * 4 + 2] * 11 + b[x * 4 + 3];
}
//: behindUnevenArray ld 4*5
__global__ void behindUnevenArray(const float *in, float *out)
{
    __shared__ float b[33];
    FILLED(a);
    b[x] = in[x + 1];
    __syncthreads();
    out[x] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 5 + b[(x + 3) & 31];
}
//: dynamicPairs ld 8*1
__global__ void dynamicPairs(const float *in, float *out)
{
    extern __shared__ float d[];
    int x = threadIdx.x;
    d[x] = in[x];
    d[x + 32] = in[x + 32];
    __syncthreads();
    out[x] = d[2 * x] + d[2 * x + 1] * 2;
}
//: doubles ld 16*2
__global__ void doubles(const float *in, float *out)
{
    __shared__ double d[128];
    int x = threadIdx.x;
    for (int i = x; i < 128; i += 32)
        d[i] = in[i];
    __syncthreads();
    out[x] = d[x * 4] + d[x * 4 + 1] * 2 + d[x * 4 + 2] * 3 + d[x * 4 + 3] * 5;
}
//: fieldsOfFloat4 ld 16*1
__global__ void fieldsOfFloat4(const float *in, float *out)
{
    __shared__ float4 d[32];
    int x = threadIdx.x;
    d[x] = make_float4(in[x], in[x + 1], in[x + 2], in[x + 3]);
    __syncthreads();
    out[x] = d[31 - x].x + d[31 - x].y * 2 + d[31 - x].z * 3 + d[31 - x].w * 5;
}
//: fieldsOfThree ld 4*3 st 4*3
__global__ void fieldsOfThree(const float *in, float *out)
{
    struct three { float a, b, c; };
    __shared__ three d[32];
    int x = threadIdx.x;
    d[x].a = in[x];
    d[x].b = in[x + 1];
    d[x].c = in[x + 2];
    __syncthreads();
    out[x] = d[31 - x].a + d[31 - x].b * 2 + d[31 - x].c * 3;
}
//: storeBetween ld 4*2
__global__ void storeBetween(const float *in, float *out)
{
    FILLED(a);
    float first = p[0];
    a[x + 128] = first;
    out[x] = first + p[1];
}
//: storeToOtherArrayBetween ld 4*3
__global__ void storeToOtherArrayBetween(const float *in, float *out)
{
    __shared__ float b[256];
    FILLED(a);
    float first = p[0];
    b[x] = in[x + 1];
    first += p[1];
    __syncthreads();
    out[x] = first + b[255 - x];
}
//: storeToGlobalBetween ld 8*1
__global__ void storeToGlobalBetween(const float *in, float *out)
{
    FILLED(a);
    float first = p[0];
    out[x + 32] = first;
    out[x] = first + p[1];
}
//: barrierBetween ld 4*2
__global__ void barrierBetween(const float *in, float *out)
{
    FILLED(a);
    float first = p[0];
    __syncthreads();
    out[x] = first + p[1];
}
//: fenceBetween ld 4*2
__global__ void fenceBetween(const float *in, float *out)
{
    FILLED(a);
    float first = p[0];
    __threadfence_block();
    out[x] = first + p[1];
}
//: volatiles ld 4*4
__global__ void volatiles(const float *in, float *out)
{
    FILLED(a);
    volatile float *v = p;
    out[x] = v[0] + v[1] * 2 + v[2] * 3 + v[3] * 5;
}
//: storesFour st 16*1
__global__ void storesFour(const float *in, float *out)
{
    __shared__ float a[256];
    int x = threadIdx.x;
    a[x * 4] = in[x];
    a[x * 4 + 1] = in[x] * 2;
    a[x * 4 + 2] = in[x] * 3;
    a[x * 4 + 3] = in[x] * 5;
    __syncthreads();
    out[x] = a[127 - x];
}
//: storesThree st 8*1 4*1
__global__ void storesThree(const float *in, float *out)
{
    __shared__ float a[256];
    int x = threadIdx.x;
    a[x * 4] = in[x];
    a[x * 4 + 1] = in[x] * 2;
    a[x * 4 + 2] = in[x] * 3;
    __syncthreads();
    out[x] = a[x * 4];
}
//: storesSix st 16*1 8*1
__global__ void storesSix(const float *in, float *out)
{
    __shared__ float a[256];
    int x = threadIdx.x;
    a[x * 8] = in[x];
    a[x * 8 + 1] = in[x] * 2;
    a[x * 8 + 2] = in[x] * 3;
    a[x * 8 + 3] = in[x] * 5;
    a[x * 8 + 4] = in[x] * 7;
    a[x * 8 + 5] = in[x] * 9;
    __syncthreads();
    out[x] = a[x * 8];
}
//: loadBetweenStores st 4*2
__global__ void loadBetweenStores(const float *in, float *out)
{
    __shared__ float a[256];
    int x = threadIdx.x;
    a[x * 4 + 64] = in[x];
    float other = a[x + 64];
    a[x * 4 + 65] = in[x] * 2;
    __syncthreads();
    out[x] = a[x * 4 + 64] + other;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
#define RUN(name) name<<<1, 32, 256>>>(in, out)
    RUN(fourWords), RUN(backwards), RUN(firstThree), RUN(lastThree), RUN(firstTwo), RUN(lastTwo), RUN(middleTwo);
    RUN(everyOther), RUN(sixWords), RUN(acrossTwoPieces), RUN(laneByLane);
    unknownStride<<<1, 32>>>(in, out, 4);
    RUN(rowsOf16), RUN(rowsOf18), RUN(rowsOf17), RUN(fromTheSecond), RUN(everyOtherInLoop), RUN(underCondition);
    RUN(twoArrays), RUN(behindUnevenArray), RUN(dynamicPairs), RUN(doubles), RUN(fieldsOfFloat4);
    RUN(fieldsOfThree), RUN(storeBetween), RUN(storeToOtherArrayBetween), RUN(storeToGlobalBetween), RUN(barrierBetween);
    RUN(fenceBetween), RUN(volatiles), RUN(storesFour), RUN(storesThree), RUN(storesSix), RUN(loadBetweenStores);
    bool done = cudaDeviceSynchronize() == cudaSuccess;
    puts(done ? "PASSED" : "FAILED");
    return !done;
}
