/* cuda_nv_atomics.h - nvcc's atomic functions of CUDA 12.8 that load and store: each is one access, of lanes in lockstep, at the line of
 * the call. Orders and scopes make fences, which have no cost here. Source: CUDA C++ Programming Guide 12.8, 10.14.
 */
#ifndef WARPLENS_CUDA_NV_ATOMICS_H
#define WARPLENS_CUDA_NV_ATOMICS_H
#pragma GCC system_header

#include <cstdint>
#include <type_traits>

#include "warplens/cuda_markers.h"

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

/* As cuda_atomic_objects.h has them. */
extern "C" uint64_t wl_atomic_load_at(const void *p, unsigned bytes, const char *file, int line);
extern "C" void wl_atomic_store_at(void *p, uint64_t bits, unsigned bytes, const char *file,
                                   int line);

namespace wl
{
template <class T>
using atomic_word =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t,
                                          std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
} // namespace wl

template <class T>
WL_INLINE T __nv_atomic_load_n(const T *p, int, int = __NV_THREAD_SCOPE_SYSTEM,
                               int line = __builtin_LINE(), const char *file = __builtin_FILE())
{
    return __builtin_bit_cast(T, (wl::atomic_word<T>)wl_atomic_load_at(p, sizeof(T), file, line));
}

template <class T>
WL_INLINE void __nv_atomic_store_n(T *p, std::common_type_t<T> value, int,
                                   int = __NV_THREAD_SCOPE_SYSTEM, int line = __builtin_LINE(),
                                   const char *file = __builtin_FILE())
{
    wl_atomic_store_at(p, __builtin_bit_cast(wl::atomic_word<T>, value), sizeof(T), file, line);
}

#endif
