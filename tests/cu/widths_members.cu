// widths_members.cu - which members of structs in global memory become one access, and which do not: a kernel for each
// condition. Behind `//:` stands what a thread loads (ldg) and stores (stg) by nvcc's machine code for sm_90, as widths in bytes
// times how many; tests/widths.py asks warplens for it, and with --nvcc the compiler.
#include <cstdio>
#include <cuda_runtime.h>

#define KERNEL(name, type) __global__ void name(const type *p, float *out)
#define STORES(name, type) __global__ void name(type *p, float x)
#define I threadIdx.x

//: two ldg 8*1
KERNEL(two, float2) { out[I] = p[I].x * 2 + p[I].y; }
//: allFour ldg 16*1
KERNEL(allFour, float4) { out[I] = p[I].x * 2 + p[I].y + p[I].z * 3 + p[I].w * 5; }
//: firstThree ldg 16*1
KERNEL(firstThree, float4) { out[I] = p[I].x * 2 + p[I].y + p[I].z * 3; }
//: withoutThird ldg 16*1
KERNEL(withoutThird, float4) { out[I] = p[I].x * 2 + p[I].y + p[I].w * 3; }
//: lastThree ldg 4*1 8*1
KERNEL(lastThree, float4) { out[I] = p[I].y * 2 + p[I].z + p[I].w * 3; }
//: lastTwo ldg 8*1
KERNEL(lastTwo, float4) { out[I] = p[I].z * 2 + p[I].w; }
//: middleTwo ldg 4*2
KERNEL(middleTwo, float4) { out[I] = p[I].y * 2 + p[I].z; }
//: firstAndLast ldg 4*2
KERNEL(firstAndLast, float4) { out[I] = p[I].x * 2 + p[I].w; }
//: bytes ldg 4*1
KERNEL(bytes, uchar4) { out[I] = p[I].x * 2 + p[I].y + p[I].z * 3 + p[I].w * 5; }
//: threeBytes ldg 4*1
KERNEL(threeBytes, uchar4) { out[I] = p[I].x * 2 + p[I].y + p[I].z * 3; }
//: firstAndThirdByte ldg 4*1
KERNEL(firstAndThirdByte, uchar4) { out[I] = p[I].x * 2 + p[I].z; }
//: halfWords ldg 4*1
KERNEL(halfWords, short2) { out[I] = p[I].x * 2 + p[I].y; }
//: doubles ldg 16*1
KERNEL(doubles, double2) { out[I] = float(p[I].x * 2 + p[I].y); }
//: notAligned ldg 4*3
KERNEL(notAligned, float3) { out[I] = p[I].x * 2 + p[I].y + p[I].z * 3; }
//: numbers ldg 4*2
KERNEL(numbers, float) { out[I] = p[2 * I] * 2 + p[2 * I + 1]; }
//: twoElements ldg 8*2
KERNEL(twoElements, float2) { out[I] = p[2 * I].x * 2 + p[2 * I].y + p[2 * I + 1].x * 3 + p[2 * I + 1].y * 5; }
struct AlignedByMember {
    double d;
    float x, y;
};
//: alignedByMember ldg 8*1
KERNEL(alignedByMember, AlignedByMember) { out[I] = p[I].x * 3 + p[I].y; }

//: storeBetween ldg 4*2
KERNEL(storeBetween, float2)
{
    float x = p[I].x;
    out[2 * I] = x;
    out[2 * I + 1] = p[I].y;
}
//: barrierBetween ldg 4*2
KERNEL(barrierBetween, float2)
{
    float x = p[I].x;
    __syncthreads();
    out[I] = x + p[I].y;
}
//: sharedBetween ldg 8*1
KERNEL(sharedBetween, float2)
{
    __shared__ float a[64];
    a[I] = p[I].x;
    a[I + 32] = p[I].y;
    __syncthreads();
    out[I] = a[I ^ 5] + a[I ^ 33];
}
//: cheapCondition ldg 8*1
KERNEL(cheapCondition, float2)
{
    float x = p[I].x;
    if (x > 0)
        x = 1 - x;
    out[I] = x + p[I].y;
}
//: cheapArms ldg 8*1
KERNEL(cheapArms, float2)
{
    float x = p[I].x;
    if (x > 0)
        x = 1 - x;
    else
        x = x * 7;
    out[I] = x + p[I].y;
}
//: longCondition ldg 4*2
KERNEL(longCondition, float2)
{
    float x = p[I].x;
    if (x > 0)
        x = (1 - x * (x + 3)) * (x - 1) + x * (x + 7) * (x - 5) * (x - 7) + x * (x + 9);
    out[I] = x + p[I].y;
}
//: divisionInCondition ldg 4*2
KERNEL(divisionInCondition, float2)
{
    float x = p[I].x;
    if (x > 0)
        x = 1 / x;
    out[I] = x + p[I].y;
}
//: loadInCondition ldg 4*2
KERNEL(loadInCondition, float2)
{
    float x = p[I].x;
    if (x < 1)
        x += p[I].y;
    out[I] = x;
}
//: storeInCondition ldg 4*2
KERNEL(storeInCondition, float2)
{
    float x = p[I].x;
    if (x > 0)
        out[I + 32] = 0;
    out[I] = x + p[I].y;
}

//: storesTwo stg 8*1
STORES(storesTwo, float2) { p[I].x = x, p[I].y = x * 2; }
//: storesFour stg 16*1
STORES(storesFour, float4) { p[I].x = x, p[I].y = x * 2, p[I].z = x * 3, p[I].w = x * 5; }
//: storesFirstThree stg 8*1 4*1
STORES(storesFirstThree, float4) { p[I].x = x, p[I].y = x * 2, p[I].z = x * 3; }
//: storesLastThree stg 4*3
STORES(storesLastThree, float4) { p[I].y = x, p[I].z = x * 2, p[I].w = x * 3; }
//: storesBytes stg 4*1
STORES(storesBytes, uchar4) { p[I].x = int(x), p[I].y = int(x) + 2, p[I].z = int(x) + 3, p[I].w = int(x) + 5; }
//: addsMembers ldg 8*1 stg 8*1
STORES(addsMembers, float2) { p[I].x += x, p[I].y += x * 2; }

// The members of one struct are no other members of another.
//: otherMembers ldg 8*1 stg 8*1
__global__ void otherMembers(float2 *p, const float2 *q) { p[I].x = q[I].x * 2, p[I].y = q[I].y * 3; }
//: sameMembers ldg 4*2 stg 4*2
__global__ void sameMembers(float2 *p, const float2 *q) { p[I].x = q[I].y * 2, p[I].y = q[I].x * 3; }

// gcc guards a static array of such a class; a shared one has no guard.
struct Word {
    int x;
    Word() = default;
};
//: defaultedConstructor ld 4*1 st 4*1
KERNEL(defaultedConstructor, float)
{
    __shared__ Word words[32];
    words[I].x = int(p[I]);
    __syncthreads();
    out[I] = words[31 - I].x;
}

int main()
{
    void *in;
    float *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
#define RUN(name, type) name<<<1, 32>>>(static_cast<type *>(in), out)
    RUN(two, float2), RUN(allFour, float4), RUN(firstThree, float4), RUN(withoutThird, float4), RUN(lastThree, float4);
    RUN(lastTwo, float4), RUN(middleTwo, float4), RUN(firstAndLast, float4), RUN(bytes, uchar4), RUN(threeBytes, uchar4);
    RUN(firstAndThirdByte, uchar4), RUN(halfWords, short2), RUN(doubles, double2), RUN(notAligned, float3);
    RUN(numbers, float), RUN(twoElements, float2), RUN(alignedByMember, AlignedByMember), RUN(storeBetween, float2);
    RUN(barrierBetween, float2), RUN(sharedBetween, float2), RUN(cheapCondition, float2), RUN(cheapArms, float2);
    RUN(longCondition, float2), RUN(divisionInCondition, float2), RUN(loadInCondition, float2), RUN(storeInCondition, float2);
#define RUN_STORES(name, type) name<<<1, 32>>>(static_cast<type *>(in), 1.0F)
    RUN_STORES(storesTwo, float2), RUN_STORES(storesFour, float4), RUN_STORES(storesFirstThree, float4);
    RUN_STORES(storesLastThree, float4), RUN_STORES(storesBytes, uchar4), RUN_STORES(addsMembers, float2);
    RUN(defaultedConstructor, float);
    otherMembers<<<1, 32>>>(reinterpret_cast<float2 *>(out), static_cast<float2 *>(in));
    sameMembers<<<1, 32>>>(reinterpret_cast<float2 *>(out), static_cast<float2 *>(in));
    bool done = cudaDeviceSynchronize() == cudaSuccess;
    puts(done ? "PASSED" : "FAILED");
    return !done;
}
