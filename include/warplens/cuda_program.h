/* cuda_program.h - CUDA C++ for a program that is compiled by g++ or clang++ under `warplens run
 * FILE.cu`. Included before everything else, so a program has what nvcc gives it without asking; C++ files
 * of the program without kernels have it where they include cuda_runtime.h, and of it what host code calls.
 *
 * What a kernel calls and every lane runs on its own is plain C++ in these headers. What lanes do
 * together, and what is an access of memory, is a function of the runtime (src/tracer/) whose call
 * stands at the program's own line: it is only declared here, under CUDA's name.
 */
#ifndef WARPLENS_CUDA_PROGRAM_H
#define WARPLENS_CUDA_PROGRAM_H
#pragma GCC system_header

#ifdef __CUDACC__
/* Lanes print in lane order, as on a GPU, their assertions end the launch, and their clock is not the
 * host's: before anything else declares these. */
extern "C" {
int printf(const char *format, ...) __asm__("wl_printf");
int puts(const char *text) __asm__("wl_puts");
int putchar(int character) __asm__("wl_putchar");
[[noreturn]] void __assert_fail(const char *assertion, const char *file, unsigned line,
                                const char *function) noexcept __asm__("wl_assert_fail");
long clock(void) noexcept __asm__("wl_clock");
/* What kernels allocate is of the device's heap. */
void *malloc(decltype(sizeof 0) bytes) noexcept __asm__("wl_malloc");
void free(void *pointer) noexcept __asm__("wl_free");
int wl_use_heap(void);
}
#endif

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "warplens/cuda_markers.h"

#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...) __wl_cluster_dims__(__VA_ARGS__)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __no_return__ __attribute__((noreturn))
#define CUDARTAPI
#define CUDART_CB
#define CUDART_VERSION WL_CUDA_VERSION
#define CUDA_VERSION WL_CUDA_VERSION
#define __CUDA_API_VERSION WL_CUDA_VERSION
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0

/* The guards of CUDA's own headers, by which programs see what is there: nvcc includes cuda_runtime.h. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __DEVICE_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __BUILTIN_TYPES_H__
#define __HOST_DEFINES_H__
#define __HOST_CONFIG_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

/* Begins the text of a static_assert that says what cannot run, with the line of the program that asks for it
 * (src/cu/messages_launch.c). */
#define WL_REFUSED "warplens refuses: "

/* Inlined wherever it is called, so that nothing of it is a function of the program. */
#define WL_INLINE static inline __attribute__((always_inline, unused))
#define WL_INLINE_MEMBER inline __attribute__((always_inline))

#include "warplens/cuda_calls.h"
#include "warplens/cuda_graphs.h"
#include "warplens/cuda_runtime_calls.h"
#include "warplens/cuda_stream_attributes.h"

#include "warplens/cuda_cub.h"
#include "warplens/cuda_launch.h"
#include "warplens/cuda_libraries.h"
#include "warplens/cuda_memory.h"
#include "warplens/cuda_surface.h"
#ifdef __CUDACC__
#include "warplens/cuda_kernel.h"
#endif

#endif
