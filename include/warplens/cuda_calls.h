/* cuda_calls.h - the runtime's functions behind what a kernel does: indices, barriers, marks, warp
 * operations, atomics, launches. The same for C files of the gallery and for CUDA programs in C++.
 */
#ifndef WARPLENS_CUDA_CALLS_H
#define WARPLENS_CUDA_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplens/cuda_types.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Ends the launch, for what stands at that line. */
__attribute__((noreturn)) void wl_refuse_at(const char *what, const char *file, int line);

/* What lanes do together: clang neither merges two such calls nor makes one of them two. For gcc
 * the kernels' flags see to that. It also leaves struct copies to memcpy; the functions that stand in
 * for it record them (src/tracer/copies.c). */
#ifdef __clang__
#define WL_CONVERGENT __attribute__((convergent, nomerge))
#define WL_NOT_MERGED __attribute__((nomerge))
#if __has_feature(thread_sanitizer)
__asm__(".set memcpy, wl_memcpy\n.set memmove, wl_memmove\n.set memset, wl_memset");
#endif
#else
#define WL_CONVERGENT
#define WL_NOT_MERGED
#endif

#ifdef __clang__
#define WL_NOT_INSTRUMENTED __attribute__((no_sanitize("thread", "coverage")))
#else
#define WL_NOT_INSTRUMENTED __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif

/* A function that stands for so many instructions of a GPU, whatever this computer needs for it, and that reads and
 * changes no memory. The section says how many: a row of SECTIONS in src/tracer/work/call_cost.c. */
#define WL_ARITHMETIC(instructions)                                                                \
    static __attribute__((noinline, unused, const, section("warplens_arithmetic_" #instructions))) \
    WL_NOT_INSTRUMENTED

/* ---- Who am I -------------------------------------------------------------------------------- */

/* x, y and z of threadIdx, blockIdx, blockDim and gridDim. Constant to a kernel: a lane's never change
 * while it runs. So the compiler may keep them, as nvcc does, and its instrumentation leaves reads of
 * constants alone. Words and no struct: one with constructors is no constant to a C++ compiler. */
extern const unsigned wl_indices[12];
#if defined(__clang__)
/* Clang joins two of these reads, and does not know the joint one as a constant's. */
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
#define WL_WORD_(i) wl_read_index(&wl_indices[i])
#else
#define WL_WORD_(i) wl_indices[i]
#endif
#define WL_INDEX_(i) WL_WORD_(3 * (i)), WL_WORD_(3 * (i) + 1), WL_WORD_(3 * (i) + 2)
#ifdef __cplusplus
/* Variables, as in CUDA: host code may have its own of these names. */
#include "warplens/cuda_indices.h"
#else
#define threadIdx (make_uint3(WL_INDEX_(0)))
#define blockIdx (make_uint3(WL_INDEX_(1)))
#define blockDim (make_dim3(WL_INDEX_(2)))
#define gridDim (make_dim3(WL_INDEX_(3)))
#endif
#ifdef __cplusplus
static const int warpSize = 32;
#else
enum { warpSize = 32 };
#endif

/* ---- Calling a kernel --------------------------------------------------------------------------- */

/* Around a lane's call of its kernel. On arm64 parameters that are no registers' are in the caller's frame, at its stack
 * pointer and above, and nothing in the kernel's own frame tells where that is. So the caller does, whose
 * stack pointer does not move between; and which must not jump instead of calling. */
#if defined(__aarch64__)
extern uintptr_t wl_parameters_begin;
#define WL_BEFORE_KERNEL() __asm__ volatile("mov %0, sp" : "=r"(wl_parameters_begin))
#define WL_BEHIND_KERNEL() __asm__ volatile("" ::: "memory")
#else
#define WL_BEFORE_KERNEL() ((void)0)
#define WL_BEHIND_KERNEL() ((void)0)
#endif

/* ---- Barriers and the clock ------------------------------------------------------------------- */

WL_CONVERGENT void wl_syncthreads(void);
/* bar.sync and bar.arrive of PTX: barrier 0 to 15, of so many threads; 0: of all of the block. */
WL_CONVERGENT void wl_named_barrier(unsigned number, unsigned threads, bool waits);
/* Of the whole grid, and whether the launch is one of those that have it. */
WL_CONVERGENT void wl_grid_sync(void);
bool wl_grid_is_valid(void);
WL_CONVERGENT void wl_syncwarp(void);
WL_CONVERGENT void wl_syncwarp_mask(unsigned mask);
WL_CONVERGENT int wl_syncthreads_count(int predicate);
WL_CONVERGENT int wl_syncthreads_or(int predicate);
WL_CONVERGENT int wl_syncthreads_and(int predicate);

/* Accesses, loop iterations and calls of this lane so far: a clock that moves, not a time. In host code the
 * C library's clock(). */
long wl_clock(void);
void wl_threadfence(void);
void wl_threadfence_block(void);
void wl_threadfence_system(void);

/* The dynamic shared array; wl_name_dynamic_shared gives the one that a program declares its name. */
void *wl_dynamic_shared(const char *name) __attribute__((const));
int wl_name_dynamic_shared(const char *name);

/* ---- Read-only path and textures --------------------------------------------------------------- */

/* The next load from this address takes the read-only path (__ldg) or the texture unit. */
void wl_next_load_read_only(const void *p);
void wl_next_load_texture(const void *p);
#define WL_LOAD_VIA_(mark, p)                                                                      \
    __extension__({                                                                                \
        const __typeof__(*(p)) *const wl_p_ = (p);                                                 \
        mark(wl_p_);                                                                               \
        *wl_p_;                                                                                    \
    })

/* All loads from this device array take the read-only path, as nvcc does for parameters that are
 * `const T *__restrict__`: a C compiler cannot tell the tracer which loads come from one. */
void wl_read_only_array(const void *device_pointer);

/* ---- Warp operations --------------------------------------------------------------------------- */

enum wl_shuffle { WL_SHFL_IDX, WL_SHFL_UP, WL_SHFL_DOWN, WL_SHFL_XOR };
WL_CONVERGENT uint64_t wl_shuffle(enum wl_shuffle mode, unsigned mask, uint64_t bits, unsigned lane,
                                  unsigned width);
WL_CONVERGENT unsigned wl_ballot(unsigned mask, int predicate);
WL_CONVERGENT unsigned wl_activemask(void);
WL_CONVERGENT int wl_any(unsigned mask, int predicate);
WL_CONVERGENT int wl_all(unsigned mask, int predicate);
/* Of the lanes that are together. */
WL_CONVERGENT unsigned wl_ballot_here(int predicate);
WL_CONVERGENT int wl_any_here(int predicate);
WL_CONVERGENT int wl_all_here(int predicate);
/* The lanes with the same value; of all lanes of the mask, or none. A mask of 0 waits for nobody. */
WL_CONVERGENT unsigned wl_match_any(unsigned mask, uint64_t value);
WL_CONVERGENT unsigned wl_match_all(unsigned mask, uint64_t value);
enum wl_reduction {
    WL_REDUCE_ADD,
    WL_REDUCE_MIN,
    WL_REDUCE_MAX,
    WL_REDUCE_AND,
    WL_REDUCE_OR,
    WL_REDUCE_XOR
};
WL_CONVERGENT int64_t wl_reduce(enum wl_reduction how, unsigned mask, int64_t value);

/* ---- Atomics ----------------------------------------------------------------------------------- */

/* clang-format off */
#define WL_ATOMICS_INTEGER(X, type, suffix)                                                        \
    X(type, Add, suffix) X(type, Sub, suffix) X(type, Min, suffix) X(type, Max, suffix)            \
    X(type, Exch, suffix) X(type, And, suffix) X(type, Or, suffix) X(type, Xor, suffix)
/* clang-format on */
#define WL_ATOMICS_FLOAT(X, type, suffix) X(type, Add, suffix) X(type, Exch, suffix)
#define WL_ATOMICS_FOR_EACH(X)                                                                     \
    WL_ATOMICS_INTEGER(X, int, i32)                                                                \
    WL_ATOMICS_INTEGER(X, unsigned, u32)                                                           \
    WL_ATOMICS_INTEGER(X, unsigned long long, u64)                                                 \
    WL_ATOMICS_FLOAT(X, float, f32)                                                                \
    WL_ATOMICS_FLOAT(X, double, f64)                                                               \
    X(unsigned, Inc, u32)                                                                          \
    X(unsigned, Dec, u32)                                                                          \
    X(long long, Min, i64)                                                                         \
    X(long long, Max, i64)
#define WL_DECLARE_ATOMIC(type, op, suffix)                                                        \
    WL_NOT_MERGED type wl_atomic##op##_##suffix(type *p, type value);
WL_ATOMICS_FOR_EACH(WL_DECLARE_ATOMIC)
/* Adding the constant 1 to a 4-byte integer: where nobody uses what it returns, nvcc makes another instruction of
 * it. The compiler knows whether: wl_result_wanted is said to have no effect, so its call is left out where its
 * value, and with it that of the addition, is not used. The call stays in front of the addition, which changes
 * memory.
 *
 * wl_next_add says that the next addition is one of the constant 1 (`line` is below 0), and where it stands:
 * of a call in a function that is inlined the compiler's table of lines has the function's. NULL: at its call. */
unsigned wl_result_wanted(void) __attribute__((pure, nothrow));
void wl_next_add(const char *file, int line) __attribute__((nothrow));
/* Where `old` is used `wanted`, which is 0, is used: by an instruction that is none, which clang keeps where
 * nobody uses what comes of it. */
#ifdef __clang__
#define WL_USE_TOGETHER_(old, wanted) ((old) += (wanted))
#else
#define WL_USE_TOGETHER_(old, wanted) __asm__("" : "+r"(old) : "r"(wanted))
#endif

int wl_atomicCAS_i32(int *p, int compare, int value);
unsigned wl_atomicCAS_u32(unsigned *p, unsigned compare, unsigned value);
unsigned long long wl_atomicCAS_u64(unsigned long long *p, unsigned long long compare,
                                    unsigned long long value);
unsigned short wl_atomicCAS_u16(unsigned short *p, unsigned short compare, unsigned short value);

/* Runs a kernel over a grid; `call` runs it once, for the lane that is current. Used through the
 * function KERNEL_LAUNCHER makes, or wl::launch. */
void wl_launch(const char *name, void (*call)(const void *arguments), const void *arguments,
               dim3 grid, dim3 block, size_t dynamic_shared_bytes);
/* Of the launch that follows: the kernel, where `call` does not tell it, and its arguments, bit by bit. */
void wl_launch_arguments(const void *kernel, const void *const *arguments, const size_t *sizes,
                         size_t count);
/* As well: of each argument the alignment, as log2, of the structs that it points to; 0: it points to something else, -1: it is
 * no pointer; and a bit each of those that are __restrict__ pointers, and of those among them to what is const. */
void wl_launch_elements(const void *const *arguments, const signed char *log2, size_t count,
                        uint64_t restricted, uint64_t constant);
/* Whether a lane calls; then a launch waits until the kernel has ended. `data` is what `call` gets,
 * from wl_host_bytes, which is malloc for lanes as for the host, and is freed behind the launch; NULL: no memory. */
bool wl_in_kernel(void);
void *wl_host_bytes(size_t bytes);
void wl_launch_later(const char *name, void (*call)(const void *data), void *data, dim3 grid,
                     dim3 block, size_t dynamic_shared_bytes);
/* memcpy that is no access of the lane that calls it. */
void wl_copy_bytes(void *to, const void *from, size_t bytes);
/* The name in the source of a function of the program; "?" when it is not known. */
const char *wl_function_name(const void *function);
/* A launch's name with its template arguments, where `function`, which the launch stands in, is a template that the
 * compiler has written with its own (__PRETTY_FUNCTION__). It stays. */
const char *wl_instance_name(const char *name, const char *function);

#ifdef __cplusplus
}
#endif
#endif
