// arithmetic.cu - how many instructions functions of CUDA are, as nvcc 13.0 has them for sm_90: a kernel with one call, and one with two.
// A half is made wider for the host's functions. Behind `//:` stands how many more the second has (here / by nvcc where they are not equal); tests/arithmetic.py asks a run for them.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

typedef unsigned long long u64;
typedef long long s64;
#define I threadIdx.x
#define KERNEL(name, T, f)                                                                         \
    __global__ void name(const T *__restrict__ in, T *__restrict__ out)                            \
    {                                                                                              \
        const T a = in[I], b = in[I + 32], c = in[I + 64];                                         \
        out[I] = f(a, b, c);                                                                       \
        out[I + 32] = b;                                                                           \
        out[I + 64] = c;                                                                           \
    }                                                                                              \
    __global__ void name##_twice(const T *__restrict__ in, T *__restrict__ out)                    \
    {                                                                                              \
        const T a = in[I], b = in[I + 32], c = in[I + 64], once = f(a, b, c);                      \
        out[I] = f(once, b, c);                                                                    \
        out[I + 32] = b;                                                                           \
        out[I + 64] = c;                                                                           \
    }
#define CALL(name, T, value)                                                                       \
    __device__ __forceinline__ T name##_of(T a, T b, T c)                                          \
    {                                                                                              \
        return value;                                                                              \
    }                                                                                              \
    KERNEL(name, T, name##_of)

//: popc 1
CALL(popc, unsigned, __popc(a))
//: ffs 3
CALL(ffs, unsigned, __ffs(a))
//: clz 2
CALL(clz, unsigned, __clz(a))
//: brev 1
CALL(brev, unsigned, __brev(a))
//: funnel 1
CALL(funnel, unsigned, __funnelshift_l(a, b, c))
//: dp4a 1
CALL(dp4a, unsigned, __dp4a(a, b, c))
//: vadd4 5
CALL(vadd4, unsigned, __vadd4(a, b))
//: vabsdiff4 1
CALL(vabsdiff4, unsigned, __vabsdiffu4(a, b))
//: product 4
CALL(product, u64, a * b)
//: upper 7
CALL(upper, u64, __umul64hi(a, b))
//: popcll 4
CALL(popcll, u64, __popcll(a))
//: add_half 2/1
CALL(add_half, __half, a + b)
//: fma_half 2/1
CALL(fma_half, __half, __hfma(a, b, c))
//: max_half 2/1
CALL(max_half, __half, __hmax(a, b))
//: root_half 6/3
CALL(root_half, __half, hsqrt(a))
//: by_float 5/4
CALL(by_float, __half, __float2half(__half2float(a) * __half2float(b)))
//: add_half2 1
CALL(add_half2, __half2, __hadd2(a, b))
//: fma_half2 1
CALL(fma_half2, __half2, __hfma2(a, b, c))
//: add_bfloat 2/1
CALL(add_bfloat, __nv_bfloat16, a + b)
//: fma_bfloat 2/1
CALL(fma_bfloat, __nv_bfloat16, __hfma(a, b, c))

#define LAUNCH(name, T)                                                                            \
    name<<<1, 32>>>((const T *)in, (T *)out);                                                      \
    name##_twice<<<1, 32>>>((const T *)in, (T *)out);
int main()
{
    void *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 1, 4096);
    LAUNCH(popc, unsigned)
    LAUNCH(ffs, unsigned)
    LAUNCH(clz, unsigned)
    LAUNCH(brev, unsigned)
    LAUNCH(funnel, unsigned)
    LAUNCH(dp4a, unsigned)
    LAUNCH(vadd4, unsigned)
    LAUNCH(vabsdiff4, unsigned)
    LAUNCH(product, u64)
    LAUNCH(upper, u64)
    LAUNCH(popcll, u64)
    LAUNCH(add_half, __half)
    LAUNCH(fma_half, __half)
    LAUNCH(max_half, __half)
    LAUNCH(root_half, __half)
    LAUNCH(by_float, __half)
    LAUNCH(add_half2, __half2)
    LAUNCH(fma_half2, __half2)
    LAUNCH(add_bfloat, __nv_bfloat16)
    LAUNCH(fma_bfloat, __nv_bfloat16)
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("PASSED\n");
    return 0;
}
