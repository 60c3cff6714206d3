/* async_copy.h - asynchronous copies in kernels of the gallery: cp.async with its groups and waits (sm_80).
 *
 * A copy is of one thread: `bytes` from global memory to shared memory, both at multiples of them. Under nvcc for a GPU before
 * sm_80 they are a load and a store.
 */
#ifndef WARPLENS_ASYNC_COPY_H
#define WARPLENS_ASYNC_COPY_H

#include "warplens/cuda.h"

/* COPY_ASYNC_CA(to, from, bytes): 4, 8 or 16 bytes through the L1.
 * COPY_ASYNC_CG(to, from):        16 bytes past it.
 * COPY_COMMIT():                  what was asked for since the last one is a group.
 * COPY_WAIT(left):                all groups of the thread but the latest `left`, a constant, have arrived behind it. */
#ifndef __CUDACC__
#include "warplens/cuda_async.h"

#define COPY_ASYNC_CA(to, from, bytes) wl_copy_async(to, from, bytes, bytes, 0)
#define COPY_ASYNC_CG(to, from) wl_copy_async(to, from, 16, 16, WL_COPY_PAST_L1)
#define COPY_COMMIT() wl_copy_commit()
#define COPY_WAIT(left) wl_copy_wait(left)

#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define COPY_ASYNC_(how, to, from, bytes)                                                          \
    asm volatile("cp.async." how                                                                   \
                 ".shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),   \
                 "l"(from), "n"(bytes)                                                             \
                 : "memory")
#define COPY_ASYNC_CA(to, from, bytes) COPY_ASYNC_("ca", to, from, bytes)
#define COPY_ASYNC_CG(to, from) COPY_ASYNC_("cg", to, from, 16)
#define COPY_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define COPY_WAIT(left) asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory")

#else
#define COPY_ASYNC_CA(to, from, bytes) memcpy(to, from, bytes)
#define COPY_ASYNC_CG(to, from) (*(uint4 *)(to) = *(const uint4 *)(from))
#define COPY_COMMIT() ((void)0)
#define COPY_WAIT(left) ((void)0)
#endif

#endif
