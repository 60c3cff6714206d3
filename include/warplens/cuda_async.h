/* cuda_async.h - asynchronous copies from global to shared memory (cp.async): what inline PTX, C++ and the gallery call.
 * src/tracer/async_copies.c has the functions; a GPU has them from sm_80 on.
 */
#ifndef WARPLENS_CUDA_ASYNC_H
#define WARPLENS_CUDA_ASYNC_H
#pragma GCC system_header

#include <stdbool.h>

#include "warplens/cuda_calls.h"

enum {
    WL_COPY_PAST_L1 = 1, /* .cg */
    WL_COPY_SIZED = 2,   /* with a source size */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Copies `bytes` of `width` (4, 8 or 16; past the L1 16), zeros for the rest. `to` is in shared memory, `from` in global memory,
 * at multiples of the width. */
void wl_copy_async(void *to, const void *from, unsigned width, unsigned bytes, unsigned how)
    __attribute__((nothrow));
/* The same, at that line of the program. */
void wl_copy_async_at(void *to, const void *from, unsigned width, unsigned bytes, unsigned how,
                      const char *file, int line) __attribute__((nothrow));
/* Whether it is from global to shared memory. */
bool wl_copy_is_async(const void *to, const void *from) __attribute__((const, nothrow));
/* The copies that follow have to arrive before the thread goes on behind a wait at the barrier. */
void wl_copy_at_barrier(const void *barrier) __attribute__((nothrow));
/* What was asked for since the last one is a group. */
void wl_copy_commit(void) __attribute__((nothrow));
/* All groups but the latest `left` have arrived behind it. */
void wl_copy_wait(unsigned left) __attribute__((nothrow));
#ifdef __cplusplus
}

namespace wl
{

/* The operand behind a copy's width; one that is a constant of as many bytes is none to nvcc. */
WL_INLINE unsigned source_size(unsigned, unsigned size)
{
    return size;
}
WL_INLINE unsigned source_size(unsigned width, bool ignores_source)
{
    return ignores_source ? 0 : width;
}

WL_INLINE unsigned copy_how(unsigned past_l1, unsigned width, unsigned bytes)
{
    return past_l1 | (bytes != width ? WL_COPY_SIZED : 0);
}

} // namespace wl
#endif
#endif
