/* cuda_warp.h - barriers, fences, shuffles, votes, matches, reductions. Those with one signature are
 * the runtime's functions under CUDA's names; shuffles are overloads in the runtime, as atomics are
 * (cuda_atomics.h says why).
 */
#ifndef WARPLENS_CUDA_WARP_H
#define WARPLENS_CUDA_WARP_H
#pragma GCC system_header

extern "C" {
WL_CONVERGENT void __syncthreads(void) __asm__("wl_syncthreads");
WL_CONVERGENT int __syncthreads_count(int predicate) __asm__("wl_syncthreads_count");
WL_CONVERGENT int __syncthreads_or(int predicate) __asm__("wl_syncthreads_or");
WL_CONVERGENT int __syncthreads_and(int predicate) __asm__("wl_syncthreads_and");
WL_CONVERGENT void __syncwarp(unsigned mask = 0xffffffffU) __asm__("wl_syncwarp_mask");
WL_CONVERGENT unsigned __activemask(void) __asm__("wl_activemask");
WL_CONVERGENT unsigned __ballot_sync(unsigned mask, int predicate) __asm__("wl_ballot");
WL_CONVERGENT int __any_sync(unsigned mask, int predicate) __asm__("wl_any");
WL_CONVERGENT int __all_sync(unsigned mask, int predicate) __asm__("wl_all");
/* Before sm_70: of the lanes that are together. */
WL_CONVERGENT unsigned __ballot(int predicate) __asm__("wl_ballot_here");
WL_CONVERGENT int __any(int predicate) __asm__("wl_any_here");
WL_CONVERGENT int __all(int predicate) __asm__("wl_all_here");

void __threadfence(void) noexcept __asm__("wl_threadfence");
void __threadfence_block(void) noexcept __asm__("wl_threadfence_block");
void __threadfence_system(void) noexcept __asm__("wl_threadfence_system");

[[noreturn]] void __trap(void) __asm__("wl_trap");
long long clock64(void) noexcept __asm__("wl_clock");
}

#define WL_SHUFFLE_TYPES(X)                                                                        \
    X(int)                                                                                         \
    X(unsigned) X(long) X(unsigned long) X(long long) X(unsigned long long) X(float) X(double)
#define WL_SHUFFLES(type)                                                                          \
    template <class = void>                                                                        \
    WL_CONVERGENT type __shfl_sync(unsigned mask, type value, int lane, int width = 32);           \
    template <class = void>                                                                        \
    WL_CONVERGENT type __shfl_up_sync(unsigned mask, type value, unsigned by, int width = 32);     \
    template <class = void>                                                                        \
    WL_CONVERGENT type __shfl_down_sync(unsigned mask, type value, unsigned by, int width = 32);   \
    template <class = void>                                                                        \
    WL_CONVERGENT type __shfl_xor_sync(unsigned mask, type value, int lanes, int width = 32);      \
    template <class = void> WL_CONVERGENT type __shfl(type value, int lane, int width = 32);       \
    template <class = void> WL_CONVERGENT type __shfl_up(type value, unsigned by, int width = 32); \
    template <class = void>                                                                        \
    WL_CONVERGENT type __shfl_down(type value, unsigned by, int width = 32);                       \
    template <class = void> WL_CONVERGENT type __shfl_xor(type value, int lanes, int width = 32);
WL_SHUFFLE_TYPES(WL_SHUFFLES)
#undef WL_SHUFFLES
#undef WL_SHUFFLE_TYPES

namespace wl
{
template <class T> WL_INLINE uint64_t bits_of(T value)
{
    uint64_t bits = 0;
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match compares 4 or 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
} // namespace wl

template <class T> WL_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
    return wl_match_any(mask, wl::bits_of(value));
}
template <class T> WL_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    unsigned same = wl_match_all(mask, wl::bits_of(value));
    *all = same != 0;
    return same;
}

#define WL_REDUCTION(name, how)                                                                    \
    WL_INLINE unsigned name(unsigned mask, unsigned value)                                         \
    {                                                                                              \
        return (unsigned)wl_reduce(how, mask, value);                                              \
    }                                                                                              \
    WL_INLINE int name(unsigned mask, int value)                                                   \
    {                                                                                              \
        return (int)wl_reduce(how, mask, value);                                                   \
    }
WL_REDUCTION(__reduce_add_sync, WL_REDUCE_ADD)
WL_REDUCTION(__reduce_min_sync, WL_REDUCE_MIN)
WL_REDUCTION(__reduce_max_sync, WL_REDUCE_MAX)
WL_REDUCTION(__reduce_and_sync, WL_REDUCE_AND)
WL_REDUCTION(__reduce_or_sync, WL_REDUCE_OR)
WL_REDUCTION(__reduce_xor_sync, WL_REDUCE_XOR)
#undef WL_REDUCTION

WL_INLINE void __nanosleep(unsigned)
{
}
WL_INLINE void __brkpt()
{
}
/* Launches run in their order: what comes before is done, and what follows waits anyway. */
WL_INLINE void cudaGridDependencySynchronize()
{
}
WL_INLINE void cudaTriggerProgrammaticLaunchCompletion()
{
}

#endif
