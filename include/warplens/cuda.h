/* cuda.h - what a CUDA kernel needs to run on the CPU under warplens.
 *
 * A kernel file includes this header and is otherwise ordinary CUDA. It is compiled with
 * -fsanitize=thread, so that the compiler puts a call in front of every load and store; those calls
 * are the tracer (src/tracer/hooks.c). There are three ways in:
 *  - under nvcc the header steps aside: the same file is real CUDA;
 *  - a CUDA program in C++ (WARPLENS_CU, set by `warplens run FILE.cu`) gets cuda_program.h;
 *  - a C file of the gallery gets what is below.
 *
 * Three things C cannot take from CUDA as they are:
 *     extern __shared__ float s[];          SHARED_DYNAMIC(float, s);
 *     kernel<<<grid, block, bytes>>>(a, b)  KERNEL_LAUNCHER(kernel, float *, int)   at file scope, then
 *                                           launch_kernel(grid, block, bytes, a, b)
 *     dim3 grid(8, 8);                      dim3 grid = make_dim3(8, 8, 1);
 */
#ifndef WARPLENS_CUDA_H
#define WARPLENS_CUDA_H

#if defined(__CUDACC__) && !defined(WARPLENS_CU)
#include "warplens/cuda_nvcc.h"
#elif defined(WARPLENS_CU)
#include "warplens/cuda_program.h"
#else

#include <math.h>
#include <string.h>
#include <time.h> /* before clock becomes a macro */

#include "warplens/cuda_calls.h"
#include "warplens/cuda_runtime_calls.h"

/* ---- Qualifiers ------------------------------------------------------------------------------ */

/* noinline: the launcher is not instrumented, a kernel must be. */
#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
/* The thread-local block is the block's shared memory. 256: an array starts at bank 0. */
#define __shared__ static _Thread_local __attribute__((aligned(256)))
#define __constant__ static __attribute__((section("warplens_constant"), aligned(256)))

#define SHARED_DYNAMIC(type, name) type *const name = (type *)wl_dynamic_shared(#name)

/* ---- What kernels call ----------------------------------------------------------------------- */

#define __syncthreads() wl_syncthreads()
#define __syncwarp(...) wl_syncwarp()
#define __threadfence() wl_threadfence()
#define __threadfence_block() wl_threadfence_block()
#define clock() wl_clock()

#define __ldg(p) WL_LOAD_VIA_(wl_next_load_read_only, p)
/* A texture bound to linear memory is the pointer itself. */
#define tex1Dfetch(texture, i) WL_LOAD_VIA_(wl_next_load_texture, (texture) + (i))

#define WL_SHUFFLE_(mode, mask, value, lane, width, ...)                                           \
    __extension__({                                                                                \
        __typeof__(value) wl_v_ = (value);                                                         \
        uint64_t wl_bits_ = 0;                                                                     \
        __builtin_memcpy(&wl_bits_, &wl_v_, sizeof wl_v_);                                         \
        wl_bits_ = wl_shuffle(mode, mask, wl_bits_, (unsigned)(lane), (unsigned)(width));          \
        __builtin_memcpy(&wl_v_, &wl_bits_, sizeof wl_v_);                                         \
        wl_v_;                                                                                     \
    })
#define __shfl_sync(mask, ...) WL_SHUFFLE_(WL_SHFL_IDX, mask, __VA_ARGS__, 32, 0)
#define __shfl_up_sync(mask, ...) WL_SHUFFLE_(WL_SHFL_UP, mask, __VA_ARGS__, 32, 0)
#define __shfl_down_sync(mask, ...) WL_SHUFFLE_(WL_SHFL_DOWN, mask, __VA_ARGS__, 32, 0)
#define __shfl_xor_sync(mask, ...) WL_SHUFFLE_(WL_SHFL_XOR, mask, __VA_ARGS__, 32, 0)
#define __ballot_sync(mask, p) wl_ballot(mask, (p) != 0)
#define __any_sync(mask, p) (wl_ballot(mask, (p) != 0) != 0)
#define __all_sync(mask, p) (wl_ballot(mask, (p) == 0) == 0)
#define __activemask() wl_activemask()
#define __popc(x) __builtin_popcount(x)
#define __ffs(x) __builtin_ffs((int)(x))
#define __clz(x) ((x) == 0 ? 32 : __builtin_clz((unsigned)(x)))

/* The words of a double. */
static inline int __double2loint(double d)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &d, sizeof bits);
    return (int)(uint32_t)bits;
}
static inline int __double2hiint(double d)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &d, sizeof bits);
    return (int)(uint32_t)(bits >> 32);
}
static inline double __hiloint2double(int high, int low)
{
    uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    double d;
    __builtin_memcpy(&d, &bits, sizeof d);
    return d;
}

/* ---- Atomics --------------------------------------------------------------------------------- */

#define WL_ATOMIC_INTEGER_(op, p)                                                                  \
    _Generic((p), int *: wl_atomic##op##_i32, unsigned *: wl_atomic##op##_u32,                     \
             unsigned long long *: wl_atomic##op##_u64)
#define WL_ATOMIC_ANY_(op, p)                                                                      \
    _Generic((p), int *: wl_atomic##op##_i32, unsigned *: wl_atomic##op##_u32,                     \
             unsigned long long *: wl_atomic##op##_u64, float *: wl_atomic##op##_f32,              \
             double *: wl_atomic##op##_f64)
#define WL_IS_INCREMENT_(p, v)                                                                     \
    (_Generic((p), int * : 1, unsigned * : 1, default : 0) && __builtin_constant_p(v) && (v) == 1)
#define WL_INCREMENT_(p, v)                                                                        \
    __extension__({                                                                                \
        const unsigned wl_wanted_ = wl_result_wanted();                                            \
        wl_next_add(NULL, -1);                                                                     \
        unsigned wl_old_ = (unsigned)WL_ATOMIC_ANY_(Add, p)(p, v);                                 \
        WL_USE_TOGETHER_(wl_old_, wl_wanted_);                                                     \
        (__typeof__(*(p)))wl_old_;                                                                 \
    })
#define atomicAdd(p, v)                                                                            \
    (WL_IS_INCREMENT_(p, v) ? WL_INCREMENT_(p, v) : WL_ATOMIC_ANY_(Add, p)(p, v))
#define atomicExch(p, v) WL_ATOMIC_ANY_(Exch, p)(p, v)
#define atomicSub(p, v) WL_ATOMIC_INTEGER_(Sub, p)(p, v)
#define atomicMin(p, v) WL_ATOMIC_INTEGER_(Min, p)(p, v)
#define atomicMax(p, v) WL_ATOMIC_INTEGER_(Max, p)(p, v)
#define atomicAnd(p, v) WL_ATOMIC_INTEGER_(And, p)(p, v)
#define atomicOr(p, v) WL_ATOMIC_INTEGER_(Or, p)(p, v)
#define atomicXor(p, v) WL_ATOMIC_INTEGER_(Xor, p)(p, v)
#define atomicCAS(p, c, v) WL_ATOMIC_INTEGER_(CAS, p)(p, c, v)

/* ---- The runtime API: arrays are known by the names of their variables ------------------------ */

#define cudaMalloc(pointer, bytes) wl_cuda_malloc((void **)(pointer), bytes, #pointer)
#define cudaHostAlloc(pointer, bytes, flags)                                                       \
    ((void)(flags), wl_host_alloc((void **)(pointer), bytes, #pointer))
#define cudaMallocHost(pointer, bytes) wl_host_alloc((void **)(pointer), bytes, #pointer)
#define cudaHostGetDevicePointer(device, host, flags)                                              \
    ((void)(flags), wl_host_device_pointer((void **)(device), host))
#define WL_FIRST_(first, ...) first
#define cudaMallocManaged(pointer, ...)                                                            \
    wl_cuda_malloc_managed((void **)(pointer), WL_FIRST_(__VA_ARGS__, 0), #pointer)
#define cudaMemPrefetchAsync(pointer, bytes, device, ...) wl_prefetch(pointer, bytes, device)
#define cudaMemcpyToSymbol(symbol, from, bytes) wl_memcpy_to_symbol(&(symbol), from, bytes)

/* KERNEL_LAUNCHER(kernel, float *, const float *, int): defines launch_kernel(grid, block, dynamic
 * shared bytes, arguments...). One to nine arguments. */
#define WL_FIELDS_1(A) A a1;
#define WL_FIELDS_2(A, B) WL_FIELDS_1(A) B a2;
#define WL_FIELDS_3(A, B, C) WL_FIELDS_2(A, B) C a3;
#define WL_FIELDS_4(A, B, C, D) WL_FIELDS_3(A, B, C) D a4;
#define WL_FIELDS_5(A, B, C, D, E) WL_FIELDS_4(A, B, C, D) E a5;
#define WL_FIELDS_6(A, B, C, D, E, F) WL_FIELDS_5(A, B, C, D, E) F a6;
#define WL_FIELDS_7(A, B, C, D, E, F, G) WL_FIELDS_6(A, B, C, D, E, F) G a7;
#define WL_FIELDS_8(A, B, C, D, E, F, G, H) WL_FIELDS_7(A, B, C, D, E, F, G) H a8;
#define WL_FIELDS_9(A, B, C, D, E, F, G, H, I) WL_FIELDS_8(A, B, C, D, E, F, G, H) I a9;
#define WL_PARAMS_1(A) A a1
#define WL_PARAMS_2(A, B) WL_PARAMS_1(A), B a2
#define WL_PARAMS_3(A, B, C) WL_PARAMS_2(A, B), C a3
#define WL_PARAMS_4(A, B, C, D) WL_PARAMS_3(A, B, C), D a4
#define WL_PARAMS_5(A, B, C, D, E) WL_PARAMS_4(A, B, C, D), E a5
#define WL_PARAMS_6(A, B, C, D, E, F) WL_PARAMS_5(A, B, C, D, E), F a6
#define WL_PARAMS_7(A, B, C, D, E, F, G) WL_PARAMS_6(A, B, C, D, E, F), G a7
#define WL_PARAMS_8(A, B, C, D, E, F, G, H) WL_PARAMS_7(A, B, C, D, E, F, G), H a8
#define WL_PARAMS_9(A, B, C, D, E, F, G, H, I) WL_PARAMS_8(A, B, C, D, E, F, G, H), I a9
#define WL_NAMES_1(p) p a1
#define WL_NAMES_2(p) WL_NAMES_1(p), p a2
#define WL_NAMES_3(p) WL_NAMES_2(p), p a3
#define WL_NAMES_4(p) WL_NAMES_3(p), p a4
#define WL_NAMES_5(p) WL_NAMES_4(p), p a5
#define WL_NAMES_6(p) WL_NAMES_5(p), p a6
#define WL_NAMES_7(p) WL_NAMES_6(p), p a7
#define WL_NAMES_8(p) WL_NAMES_7(p), p a8
#define WL_NAMES_9(p) WL_NAMES_8(p), p a9
#define WL_COUNT_(_1, _2, _3, _4, _5, _6, _7, _8, _9, n, ...) n
#define WL_COUNT(...) WL_COUNT_(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define WL_PASTE_(a, b) a##b
#define WL_PASTE(a, b) WL_PASTE_(a, b)
#define WL_EMPTY
#define WL_CALL_1(k, s) k(s->a1)
#define WL_CALL_2(k, s) k(s->a1, s->a2)
#define WL_CALL_3(k, s) k(s->a1, s->a2, s->a3)
#define WL_CALL_4(k, s) k(s->a1, s->a2, s->a3, s->a4)
#define WL_CALL_5(k, s) k(s->a1, s->a2, s->a3, s->a4, s->a5)
#define WL_CALL_6(k, s) k(s->a1, s->a2, s->a3, s->a4, s->a5, s->a6)
#define WL_CALL_7(k, s) k(s->a1, s->a2, s->a3, s->a4, s->a5, s->a6, s->a7)
#define WL_CALL_8(k, s) k(s->a1, s->a2, s->a3, s->a4, s->a5, s->a6, s->a7, s->a8)
#define WL_CALL_9(k, s) k(s->a1, s->a2, s->a3, s->a4, s->a5, s->a6, s->a7, s->a8, s->a9)
#define KERNEL_LAUNCHER(kernel, ...)                                                               \
    struct wl_arguments_##kernel {                                                                 \
        WL_PASTE(WL_FIELDS_, WL_COUNT(__VA_ARGS__))(__VA_ARGS__)                                   \
    };                                                                                             \
    WL_NOT_INSTRUMENTED static void wl_call_##kernel(const void *arguments)                        \
    {                                                                                              \
        const struct wl_arguments_##kernel *s = (const struct wl_arguments_##kernel *)arguments;   \
        WL_BEFORE_KERNEL();                                                                        \
        WL_PASTE(WL_CALL_, WL_COUNT(__VA_ARGS__))(kernel, s);                                      \
        WL_BEHIND_KERNEL();                                                                        \
    }                                                                                              \
    static void launch_##kernel(dim3 wl_grid, dim3 wl_block, size_t wl_shared,                     \
                                WL_PASTE(WL_PARAMS_, WL_COUNT(__VA_ARGS__))(__VA_ARGS__))          \
    {                                                                                              \
        const struct wl_arguments_##kernel s = {                                                   \
            WL_PASTE(WL_NAMES_, WL_COUNT(__VA_ARGS__))(WL_EMPTY)};                                 \
        wl_launch(#kernel, wl_call_##kernel, &s, wl_grid, wl_block, wl_shared);                    \
    }

#endif /* __CUDACC__ */
#endif
