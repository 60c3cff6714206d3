/* tensor_copy.h - tensor maps, and boxes that they bring to shared memory, in kernels of the gallery (TMA, sm_90).
 *
 * TENSOR_TILE(name, rows):           in a kernel: shared memory for a box of rows of 32 floats, where a swizzle's pattern begins.
 * TENSOR_BARRIER(name):              in a kernel: a barrier in shared memory to which bytes come.
 * TENSOR_BARRIER_BEGIN(name):        by one thread, before the others use it: of one arrival a phase.
 * TENSOR_LOAD(to, map, x, y, name, bytes):   by one thread: the box whose first element is in column x, row y; its bytes come to the barrier.
 * TENSOR_WAIT(name, parity):         until the phase of that parity is over, the first one being 0.
 *
 * Under nvcc for a GPU before sm_90 there is nothing in their place: such kernels do not run there.
 */
#ifndef WARPLENS_TENSOR_COPY_H
#define WARPLENS_TENSOR_COPY_H

#include "warplens/cuda.h"

enum tensor_swizzle { TENSOR_DENSE, TENSOR_SWIZZLE_128B = 3 };

#ifndef __CUDACC__
#include "warplens/cuda_bulk.h"
#include "warplens/cuda_tensor_calls.h"

#define __grid_constant__
#define TENSOR_TILE(name, rows) __shared__ float name[rows][32] __attribute__((aligned(1024)))
#define TENSOR_BARRIER(name) __shared__ unsigned long long name
#define TENSOR_BARRIER_BEGIN(name) wl_mbarrier_init(&(name), 1, NULL, 0)
#define TENSOR_LOAD(to, map, x, y, name, bytes)                                                    \
    do {                                                                                           \
        wl_mbarrier_arrive_expect(&(name), 1, bytes, false, NULL, 0);                              \
        wl_tensor_load(to, map, 2, x, y, 0, 0, 0, &(name), NULL, 0);                               \
    } while (0)
#define TENSOR_WAIT(name, parity) wl_mbarrier_wait_parity(&(name), parity, false, NULL, 0)

/* Of a matrix of floats by rows, with boxes of rows of 32; false when there is none. */
static inline bool tensor_map_of(CUtensorMap *map, float *array, unsigned columns, unsigned rows,
                                 unsigned box_rows, enum tensor_swizzle swizzle)
{
    enum { FLOAT32 = 7 }; /* CU_TENSOR_MAP_DATA_TYPE_FLOAT32 */
    const uint64_t sizes[] = {columns, rows}, pitches[] = {columns * sizeof *array};
    const uint32_t box[] = {32, box_rows}, strides[] = {1, 1};
    const struct wl_tensor_request request = {FLOAT32, 2, array,   sizes, pitches, box,
                                              strides, 0, swizzle, 0,     0};
    return wl_tensor_map_encode(map, &request) == 0;
}

#else
#include <cuda.h>

#define TENSOR_TILE(name, rows) __shared__ __align__(1024) float name[rows][32]
#define TENSOR_BARRIER(name) __shared__ unsigned long long name
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TENSOR_SHARED_(pointer) (unsigned)__cvta_generic_to_shared(pointer)
#define TENSOR_BARRIER_BEGIN(name)                                                                 \
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(   \
                     TENSOR_SHARED_(&(name)))                                                      \
                 : "memory")
#define TENSOR_LOAD(to, map, x, y, name, bytes)                                                    \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%4], %5; "                              \
                 "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "    \
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(TENSOR_SHARED_(to)),                          \
                 "l"(map), "r"(x), "r"(y), "r"(TENSOR_SHARED_(&(name))), "r"((unsigned)(bytes))    \
                 : "memory")
#define TENSOR_WAIT(name, parity)                                                                  \
    asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; "  \
                 "@!done bra again; }" ::"r"(TENSOR_SHARED_(&(name))),                             \
                 "r"(parity)                                                                       \
                 : "memory")
#else
#define TENSOR_BARRIER_BEGIN(name) ((void)(name))
#define TENSOR_LOAD(to, map, x, y, name, bytes) ((void)(to), (void)(map), (void)(x), (void)(y))
#define TENSOR_WAIT(name, parity) ((void)0)
#endif

static inline bool tensor_map_of(CUtensorMap *map, float *array, unsigned columns, unsigned rows,
                                 unsigned box_rows, enum tensor_swizzle swizzle)
{
    const cuuint64_t sizes[] = {columns, rows}, pitches[] = {columns * sizeof *array};
    const cuuint32_t box[] = {32, box_rows}, strides[] = {1, 1};
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &found);
    return function &&
           ((decltype(&cuTensorMapEncodeTiled))function)(
               map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array, sizes, pitches, box, strides,
               CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}
#endif

#endif
