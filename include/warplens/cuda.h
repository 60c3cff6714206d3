/* cuda.h - what a CUDA C kernel needs to run on the CPU under warplens.
 *
 * A kernel file includes this header and is otherwise ordinary CUDA C. It is compiled with
 * -fsanitize=thread, so that the compiler puts a call in front of every load and store; those calls
 * are the tracer (src/trace/hooks.c). Under nvcc the header steps aside: the same file is real CUDA.
 *
 * Three things C cannot take from CUDA as they are:
 *     extern __shared__ float s[];          SHARED_DYNAMIC(float, s);
 *     kernel<<<grid, block, bytes>>>(a, b)  KERNEL_LAUNCHER(kernel, float *, int)   at file scope, then
 *                                           launch_kernel(grid, block, bytes, a, b)
 *     dim3 grid(8, 8);                      dim3 grid = make_dim3(8, 8, 1);
 */
#ifndef WARPLENS_CUDA_H
#define WARPLENS_CUDA_H

#ifdef __CUDACC__
#include "warplens/cuda_nvcc.h"
#else

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h> /* before clock becomes a macro */

#include "warplens/cuda_types.h"

#ifdef __cplusplus
extern "C" {
#define WL_THREAD_LOCAL thread_local
#else
#define WL_THREAD_LOCAL _Thread_local
#endif

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
#define __shared__ static WL_THREAD_LOCAL __attribute__((aligned(256)))
#define __constant__ static __attribute__((section("warplens_constant"), aligned(256)))

/* What lanes do together: clang neither merges two such calls nor makes one of them two. For gcc
 * the kernels' flags see to that. It also leaves struct copies to memcpy; the functions that stand in
 * for it record them (src/trace/copies.c). */
#ifdef __clang__
#define WL_CONVERGENT __attribute__((convergent, nomerge))
#if __has_feature(thread_sanitizer)
__asm__(".set memcpy, wl_memcpy\n.set memmove, wl_memmove\n.set memset, wl_memset");
#endif
#else
#define WL_CONVERGENT
#endif

/* ---- Who am I -------------------------------------------------------------------------------- */

struct wl_indices {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
};
extern struct wl_indices wl_indices;

/* A plain read of these would be traced as a memory access, so they are read by an instruction of our
 * own, which the compiler does not instrument (a function call each would cost a traced copy a fifth
 * of its rate). */
static inline unsigned wl_read_index(const unsigned *p)
{
    unsigned value;
#if defined(__x86_64__)
    __asm__("movl %1, %0" : "=r"(value) : "m"(*p));
#elif defined(__aarch64__)
    __asm__("ldr %w0, %1" : "=r"(value) : "m"(*p));
#endif
    return value;
}
static inline uint3 wl_read_uint3(const uint3 *v)
{
    return make_uint3(wl_read_index(&v->x), wl_read_index(&v->y), wl_read_index(&v->z));
}
static inline dim3 wl_read_dim3(const dim3 *v)
{
    return make_dim3(wl_read_index(&v->x), wl_read_index(&v->y), wl_read_index(&v->z));
}
#define threadIdx (wl_read_uint3(&wl_indices.thread))
#define blockIdx (wl_read_uint3(&wl_indices.block))
#define blockDim (wl_read_dim3(&wl_indices.block_dim))
#define gridDim (wl_read_dim3(&wl_indices.grid_dim))
#define warpSize 32

/* ---- Barriers and fences --------------------------------------------------------------------- */

WL_CONVERGENT void wl_syncthreads(void);
WL_CONVERGENT void wl_syncwarp(void);
#define __syncthreads() wl_syncthreads()
#define __syncwarp(...) wl_syncwarp()
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)

/* Accesses, loop iterations and calls of this lane so far: a clock that moves, not a time. */
long wl_clock(void);
#define clock() wl_clock()

/* ---- Dynamic shared memory ------------------------------------------------------------------- */

void *wl_dynamic_shared(const char *name) __attribute__((const));
#define SHARED_DYNAMIC(type, name) type *const name = (type *)wl_dynamic_shared(#name)

/* ---- Read-only path and textures ------------------------------------------------------------- */

/* The next load from this address takes the read-only path (__ldg) or the texture unit. */
void wl_next_load_read_only(const void *p);
void wl_next_load_texture(const void *p);
#define WL_LOAD_VIA_(mark, p)                                                                      \
    __extension__({                                                                                \
        const __typeof__(*(p)) *const wl_p_ = (p);                                                 \
        mark(wl_p_);                                                                               \
        *wl_p_;                                                                                    \
    })
#define __ldg(p) WL_LOAD_VIA_(wl_next_load_read_only, p)
/* A texture bound to linear memory is the pointer itself. */
#define tex1Dfetch(texture, i) WL_LOAD_VIA_(wl_next_load_texture, (texture) + (i))

/* All loads from this device array take the read-only path, as nvcc does for parameters that are
 * `const T *__restrict__`: a C compiler cannot tell the tracer which loads come from one. */
void wl_read_only_array(const void *device_pointer);

/* ---- Warp intrinsics ------------------------------------------------------------------------- */

enum wl_shuffle { WL_SHFL_IDX, WL_SHFL_UP, WL_SHFL_DOWN, WL_SHFL_XOR };
WL_CONVERGENT uint64_t wl_shuffle(enum wl_shuffle mode, unsigned mask, uint64_t bits, unsigned lane,
                                  unsigned width);
WL_CONVERGENT unsigned wl_ballot(unsigned mask, int predicate);
WL_CONVERGENT unsigned wl_activemask(void);
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

/* clang-format off */
#define WL_ATOMICS_INTEGER(X, type, suffix)                                                        \
    X(type, Add, suffix) X(type, Sub, suffix) X(type, Min, suffix) X(type, Max, suffix)            \
    X(type, Exch, suffix) X(type, And, suffix) X(type, Or, suffix) X(type, Xor, suffix)
/* clang-format on */
#define WL_ATOMICS_FLOAT(X, type, suffix) X(type, Add, suffix) X(type, Exch, suffix)
#define WL_DECLARE_ATOMIC(type, op, suffix) type wl_atomic##op##_##suffix(type *p, type value);
WL_ATOMICS_INTEGER(WL_DECLARE_ATOMIC, int, i32)
WL_ATOMICS_INTEGER(WL_DECLARE_ATOMIC, unsigned, u32)
WL_ATOMICS_INTEGER(WL_DECLARE_ATOMIC, unsigned long long, u64)
WL_ATOMICS_FLOAT(WL_DECLARE_ATOMIC, float, f32)
WL_ATOMICS_FLOAT(WL_DECLARE_ATOMIC, double, f64)
int wl_atomicCAS_i32(int *p, int compare, int value);
unsigned wl_atomicCAS_u32(unsigned *p, unsigned compare, unsigned value);
unsigned long long wl_atomicCAS_u64(unsigned long long *p, unsigned long long compare,
                                    unsigned long long value);

#ifndef __cplusplus
#define WL_ATOMIC_INTEGER_(op, p)                                                                  \
    _Generic((p), int *: wl_atomic##op##_i32, unsigned *: wl_atomic##op##_u32,                     \
             unsigned long long *: wl_atomic##op##_u64)
#define WL_ATOMIC_ANY_(op, p)                                                                      \
    _Generic((p), int *: wl_atomic##op##_i32, unsigned *: wl_atomic##op##_u32,                     \
             unsigned long long *: wl_atomic##op##_u64, float *: wl_atomic##op##_f32,              \
             double *: wl_atomic##op##_f64)
#define atomicAdd(p, v) WL_ATOMIC_ANY_(Add, p)(p, v)
#define atomicExch(p, v) WL_ATOMIC_ANY_(Exch, p)(p, v)
#define atomicSub(p, v) WL_ATOMIC_INTEGER_(Sub, p)(p, v)
#define atomicMin(p, v) WL_ATOMIC_INTEGER_(Min, p)(p, v)
#define atomicMax(p, v) WL_ATOMIC_INTEGER_(Max, p)(p, v)
#define atomicAnd(p, v) WL_ATOMIC_INTEGER_(And, p)(p, v)
#define atomicOr(p, v) WL_ATOMIC_INTEGER_(Or, p)(p, v)
#define atomicXor(p, v) WL_ATOMIC_INTEGER_(Xor, p)(p, v)
#define atomicCAS(p, c, v) WL_ATOMIC_INTEGER_(CAS, p)(p, c, v)
#endif

/* ---- The runtime API that kernels' host code uses --------------------------------------------- */

typedef int cudaError_t;
enum {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidValue = 1,
    cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

/* Device memory: 256-byte aligned, never written, known by the name of the variable. */
cudaError_t wl_cuda_malloc(void **pointer, size_t bytes, const char *expression);
#define cudaMalloc(pointer, bytes) wl_cuda_malloc((void **)(pointer), bytes, #pointer)
cudaError_t cudaFree(void *pointer);

/* Pinned host memory, which kernels reach over PCIe ("zero-copy"), mapped or not: with one address
 * space for both sides all pinned memory is. The device's pointer is the host's. */
enum { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped };
enum { cudaHostAllocWriteCombined = 4 };
cudaError_t wl_host_alloc(void **pointer, size_t bytes, const char *expression);
#define cudaHostAlloc(pointer, bytes, flags)                                                       \
    ((void)(flags), wl_host_alloc((void **)(pointer), bytes, #pointer))
#define cudaMallocHost(pointer, bytes) wl_host_alloc((void **)(pointer), bytes, #pointer)
cudaError_t wl_host_device_pointer(void **device, void *host);
#define cudaHostGetDevicePointer(device, host, flags)                                              \
    ((void)(flags), wl_host_device_pointer((void **)(device), host))
cudaError_t cudaFreeHost(void *pointer);

/* Managed memory. Host code of a kernel file moves pages to the host by its loads and stores; what a
 * library function does there (memset, fread) is not seen. */
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaCpuDeviceId = -1 };
cudaError_t wl_cuda_malloc_managed(void **pointer, size_t bytes, const char *expression);
#define WL_FIRST_(first, ...) first
#define cudaMallocManaged(pointer, ...)                                                            \
    wl_cuda_malloc_managed((void **)(pointer), WL_FIRST_(__VA_ARGS__, 0), #pointer)
cudaError_t wl_prefetch(const void *pointer, size_t bytes, int device);
#define cudaMemPrefetchAsync(pointer, bytes, device, ...) wl_prefetch(pointer, bytes, device)
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t wl_memcpy_to_symbol(void *symbol, const void *from, size_t bytes);
#define cudaMemcpyToSymbol(symbol, from, bytes) wl_memcpy_to_symbol(&(symbol), from, bytes)
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

/* Runs a kernel over a grid; `call` runs it once, for the lane that is current. Used through the
 * function KERNEL_LAUNCHER makes. */
void wl_launch(const char *name, void (*call)(const void *arguments), const void *arguments,
               dim3 grid, dim3 block, size_t dynamic_shared_bytes);

#ifdef __cplusplus
}
#endif

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
#ifdef __clang__
#define WL_NOT_INSTRUMENTED __attribute__((no_sanitize("thread", "coverage")))
#else
#define WL_NOT_INSTRUMENTED __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif
#define KERNEL_LAUNCHER(kernel, ...)                                                               \
    struct wl_arguments_##kernel {                                                                 \
        WL_PASTE(WL_FIELDS_, WL_COUNT(__VA_ARGS__))(__VA_ARGS__)                                   \
    };                                                                                             \
    WL_NOT_INSTRUMENTED static void wl_call_##kernel(const void *arguments)                        \
    {                                                                                              \
        const struct wl_arguments_##kernel *s = (const struct wl_arguments_##kernel *)arguments;   \
        WL_PASTE(WL_CALL_, WL_COUNT(__VA_ARGS__))(kernel, s);                                      \
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
