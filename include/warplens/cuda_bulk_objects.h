/* cuda_bulk_objects.h - barriers in shared memory and bulk copies as libcu++ has them: cuda::ptx, cuda::device, and of
 * cuda::device::experimental what works on a cuda::barrier. A GPU before sm_90 has none of them: a launch that comes to one ends there.
 *
 * Sources: "libcu++", "PTX" and "Memory-consistency: barrier" of CUDA's documentation, version 13.0.
 */
#ifndef WARPLENS_CUDA_BULK_OBJECTS_H
#define WARPLENS_CUDA_BULK_OBJECTS_H
#pragma GCC system_header

#include <cstdint>

#include "warplens/cuda_barrier.h"
#include "warplens/cuda_bulk.h"
#include "warplens/cuda_cluster.h"
#include "warplens/cuda_copies.h"
#include "warplens/cuda_tensor_map.h"

#define WL_BULK_NEEDS(sm, what)                                                                    \
    if (::wl::bulk_arch < 10 * sm)                                                                 \
    wl_refuse_at(what " needs sm_" #sm " or later: name such a GPU with --gpu", file, line)

/* The place of a call that may have a number behind its arguments: such a one is no text. */
#define WL_BULK_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace wl
{
#ifdef __CUDA_ARCH__
constexpr int bulk_arch = __CUDA_ARCH__;
#else
constexpr int bulk_arch = 1000;
#endif
} // namespace wl

namespace cuda
{
namespace ptx
{

/* ---- Words of PTX as types ------------------------------------------------------------------------------- */

enum class dot_space { global, cluster, shared };
enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op };
template <dot_space Space> struct space_t {
};
template <dot_sem Sem> struct sem_t {
};
template <dot_scope Scope> struct scope_t {
};
template <dot_op Op> struct op_t {
};
template <int N> struct n32_t {
    static constexpr int value = N;
};
template <int N> constexpr n32_t<N> n32{};

typedef space_t<dot_space::global> space_global_t;
typedef space_t<dot_space::cluster> space_cluster_t;
typedef space_t<dot_space::shared> space_shared_t;
typedef sem_t<dot_sem::acquire> sem_acquire_t;
typedef sem_t<dot_sem::relaxed> sem_relaxed_t;
typedef sem_t<dot_sem::release> sem_release_t;
typedef scope_t<dot_scope::cta> scope_cta_t;
typedef scope_t<dot_scope::cluster> scope_cluster_t;
#define WL_OPERATION(name, value)                                                                  \
    typedef op_t<dot_op::value> op_##name##_t;                                                     \
    static constexpr op_##name##_t op_##name{};
WL_OPERATION(add, add)
WL_OPERATION(min, min)
WL_OPERATION(max, max)
WL_OPERATION(inc, inc)
WL_OPERATION(dec, dec)
WL_OPERATION(and_op, and_op)
WL_OPERATION(or_op, or_op)
WL_OPERATION(xor_op, xor_op)
#undef WL_OPERATION
static constexpr space_global_t space_global{};
static constexpr space_cluster_t space_cluster{};
static constexpr space_shared_t space_shared{};
static constexpr sem_acquire_t sem_acquire{};
static constexpr sem_relaxed_t sem_relaxed{};
static constexpr sem_release_t sem_release{};
static constexpr scope_cta_t scope_cta{};
static constexpr scope_cluster_t scope_cluster{};

/* ---- mbarrier --------------------------------------------------------------------------------------------- */

WL_INLINE_MEMBER void mbarrier_init(uint64_t *barrier, const uint32_t &count, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(80, "mbarrier_init");
    wl_mbarrier_init(barrier, count, file, line);
}
WL_INLINE_MEMBER void mbarrier_inval(uint64_t *barrier)
{
    wl_mbarrier_inval(barrier);
}
WL_INLINE_MEMBER uint64_t mbarrier_arrive(uint64_t *barrier, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(80, "mbarrier_arrive");
    return wl_mbarrier_arrive(barrier, 1, false, file, line);
}
WL_INLINE_MEMBER uint64_t mbarrier_arrive(uint64_t *barrier, const uint32_t &count, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "mbarrier_arrive with a count");
    return wl_mbarrier_arrive(barrier, count, false, file, line);
}
WL_INLINE_MEMBER uint64_t mbarrier_arrive_no_complete(uint64_t *barrier, const uint32_t &count,
                                                      WL_COPY_PLACE)
{
    WL_BULK_NEEDS(80, "mbarrier_arrive_no_complete");
    return wl_mbarrier_arrive(barrier, count, false, file, line);
}
template <dot_sem Sem, dot_scope Scope, dot_space Space>
WL_INLINE_MEMBER uint64_t mbarrier_arrive(sem_t<Sem>, scope_t<Scope>, space_t<Space>,
                                          uint64_t *barrier, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(90, "mbarrier_arrive");
    return wl_mbarrier_arrive(barrier, 1, false, file, line);
}
template <dot_sem Sem, dot_scope Scope, dot_space Space>
WL_INLINE_MEMBER uint64_t mbarrier_arrive(sem_t<Sem>, scope_t<Scope>, space_t<Space>,
                                          uint64_t *barrier, const uint32_t &count, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "mbarrier_arrive");
    return wl_mbarrier_arrive(barrier, count, false, file, line);
}
template <dot_sem Sem, dot_scope Scope, dot_space Space>
WL_INLINE_MEMBER uint64_t mbarrier_arrive_expect_tx(sem_t<Sem>, scope_t<Scope>, space_t<Space>,
                                                    uint64_t *barrier, const uint32_t &bytes,
                                                    WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "mbarrier_arrive_expect_tx");
    return wl_mbarrier_arrive_expect(barrier, 1, bytes, false, file, line);
}
template <dot_sem Sem, dot_scope Scope, dot_space Space>
WL_INLINE_MEMBER void mbarrier_expect_tx(sem_t<Sem>, scope_t<Scope>, space_t<Space>,
                                         uint64_t *barrier, const uint32_t &bytes, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "mbarrier_expect_tx");
    wl_mbarrier_expect(barrier, bytes, file, line);
}

/* test_wait and try_wait: by the state of an arrival, by the phase's parity; a time is a hint. */
#define WL_WAITS(name, sm, call, type, tests)                                                      \
    WL_INLINE_MEMBER bool name(uint64_t *barrier, const type &phase, WL_BULK_PLACE)                \
    {                                                                                              \
        WL_BULK_NEEDS(sm, #name);                                                                  \
        return call(barrier, phase, tests, file, line);                                            \
    }                                                                                              \
    WL_INLINE_MEMBER bool name(uint64_t *barrier, const type &phase, const uint32_t &,             \
                               WL_BULK_PLACE)                                                      \
    {                                                                                              \
        return name(barrier, phase, file, line);                                                   \
    }                                                                                              \
    template <dot_sem Sem, dot_scope Scope>                                                        \
    WL_INLINE_MEMBER bool name(sem_t<Sem>, scope_t<Scope>, uint64_t *barrier, const type &phase,   \
                               WL_BULK_PLACE)                                                      \
    {                                                                                              \
        return name(barrier, phase, file, line);                                                   \
    }                                                                                              \
    template <dot_sem Sem, dot_scope Scope>                                                        \
    WL_INLINE_MEMBER bool name(sem_t<Sem>, scope_t<Scope>, uint64_t *barrier, const type &phase,   \
                               const uint32_t &, WL_BULK_PLACE)                                    \
    {                                                                                              \
        return name(barrier, phase, file, line);                                                   \
    }
WL_WAITS(mbarrier_test_wait, 80, wl_mbarrier_wait, uint64_t, true)
WL_WAITS(mbarrier_test_wait_parity, 80, wl_mbarrier_wait_parity, uint32_t, true)
WL_WAITS(mbarrier_try_wait, 90, wl_mbarrier_wait, uint64_t, false)
WL_WAITS(mbarrier_try_wait_parity, 90, wl_mbarrier_wait_parity, uint32_t, false)
#undef WL_WAITS

template <dot_sem Sem, dot_scope Scope>
WL_INLINE_MEMBER void fence_mbarrier_init(sem_t<Sem>, scope_t<Scope>)
{
}
WL_INLINE_MEMBER void fence_proxy_async()
{
}
template <dot_space Space> WL_INLINE_MEMBER void fence_proxy_async(space_t<Space>)
{
}

/* ---- cp.async.bulk ------------------------------------------------------------------------------------------ */

template <dot_space Space>
WL_INLINE_MEMBER void cp_async_bulk(space_t<Space>, space_global_t, void *to, const void *from,
                                    const uint32_t &bytes, uint64_t *barrier, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk");
    static_assert(Space != dot_space::global, "a bulk copy is to shared memory");
    wl_bulk_load(to, from, bytes, barrier, file, line);
}
WL_INLINE_MEMBER void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from,
                                    const uint32_t &bytes, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk");
    wl_bulk_store(to, from, bytes, file, line);
}

template <class T>
WL_INLINE_MEMBER void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, T *to,
                                           const T *from, uint32_t bytes, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_reduce_async_bulk");
    constexpr bool floats = ::std::is_floating_point<T>::value;
    static_assert(floats || (::std::is_integral<T>::value && sizeof(T) >= 4), WL_REFUSED
                  "a bulk reduction of this type cannot run under warplens: int, unsigned, long "
                  "long, float and double can");
    wl_bulk_add(to, from, bytes,
                floats ? (sizeof(T) == 4 ? WL_BULK_F32 : WL_BULK_F64)
                       : (sizeof(T) == 4 ? WL_BULK_U32 : WL_BULK_U64),
                file, line);
}

template <dot_space Space, int Rank>
WL_INLINE_MEMBER void cp_async_bulk_tensor(space_t<Space>, space_global_t, void *to,
                                           const void *map, const int32_t (&at)[Rank],
                                           uint64_t *barrier, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk_tensor");
    wl_tensor_load(to, map, Rank, at[0], Rank > 1 ? at[Rank > 1] : 0,
                   Rank > 2 ? at[2 * (Rank > 2)] : 0, Rank > 3 ? at[3 * (Rank > 3)] : 0,
                   Rank > 4 ? at[4 * (Rank > 4)] : 0, barrier, file, line);
}
template <int Rank>
WL_INLINE_MEMBER void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map,
                                           const int32_t (&at)[Rank], const void *from,
                                           WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk_tensor");
    wl_tensor_store(map, from, Rank, at[0], Rank > 1 ? at[Rank > 1] : 0,
                    Rank > 2 ? at[2 * (Rank > 2)] : 0, Rank > 3 ? at[3 * (Rank > 3)] : 0,
                    Rank > 4 ? at[4 * (Rank > 4)] : 0, file, line);
}

WL_INLINE_MEMBER void cp_async_bulk_commit_group()
{
    wl_bulk_commit();
}
template <int N> WL_INLINE_MEMBER void cp_async_bulk_wait_group(n32_t<N>)
{
    wl_bulk_wait(N);
}
template <int N> WL_INLINE_MEMBER void cp_async_bulk_wait_group_read(n32_t<N>)
{
    wl_bulk_wait_read(N);
}

} // namespace ptx

/* ---- On a cuda::barrier ---------------------------------------------------------------------------------------- */

namespace device
{

typedef ::cuda::wl_detail::block_barrier wl_barrier;

WL_INLINE_MEMBER uint64_t *barrier_native_handle(wl_barrier &barrier)
{
    return (uint64_t *)&barrier;
}
/* A function of the runtime, so that its token is in no local memory. */
WL_CONVERGENT wl_barrier::arrival_token
barrier_arrive_tx(wl_barrier &barrier, ptrdiff_t arrivals,
                  ptrdiff_t bytes) __asm__("wl_barrier_arrive_tx");
WL_INLINE_MEMBER void barrier_expect_tx(wl_barrier &barrier, ptrdiff_t bytes, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cuda::device::barrier_expect_tx");
    wl_mbarrier_expect(&barrier, (unsigned)bytes, file, line);
}
template <class T, size_t Alignment>
WL_INLINE_MEMBER void memcpy_async_tx(T *to, const T *from, aligned_size_t<Alignment> size,
                                      wl_barrier &barrier, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cuda::device::memcpy_async_tx");
    static_assert(Alignment >= 16, "memcpy_async_tx is of a size aligned to 16 bytes at least");
    wl_bulk_load(to, from, (unsigned)(size_t)size, &barrier, file, line);
}

namespace experimental
{

WL_INLINE_MEMBER void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes,
                                                     wl_barrier &barrier, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk_global_to_shared");
    wl_bulk_load(to, from, bytes, &barrier, file, line);
}
WL_INLINE_MEMBER void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes,
                                                     WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk_shared_to_global");
    wl_bulk_store(to, from, bytes, file, line);
}

#define WL_BOX(rank, coordinates, ...)                                                             \
    WL_INLINE_MEMBER void cp_async_bulk_tensor_##rank##d_global_to_shared(                         \
        void *to, const CUtensorMap *map, WL_BULK_LIST coordinates, wl_barrier &barrier,           \
        WL_COPY_PLACE)                                                                             \
    {                                                                                              \
        WL_BULK_NEEDS(90, "cp_async_bulk_tensor_" #rank "d_global_to_shared");                     \
        wl_tensor_load(to, map, rank, __VA_ARGS__, &barrier, file, line);                          \
    }                                                                                              \
    WL_INLINE_MEMBER void cp_async_bulk_tensor_##rank##d_shared_to_global(                         \
        const CUtensorMap *map, WL_BULK_LIST coordinates, const void *from, WL_COPY_PLACE)         \
    {                                                                                              \
        WL_BULK_NEEDS(90, "cp_async_bulk_tensor_" #rank "d_shared_to_global");                     \
        wl_tensor_store(map, from, rank, __VA_ARGS__, file, line);                                 \
    }
#define WL_BULK_LIST(...) __VA_ARGS__
WL_BOX(1, (int c0), c0, 0, 0, 0, 0)
WL_BOX(2, (int c0, int c1), c0, c1, 0, 0, 0)
WL_BOX(3, (int c0, int c1, int c2), c0, c1, c2, 0, 0)
WL_BOX(4, (int c0, int c1, int c2, int c3), c0, c1, c2, c3, 0)
WL_BOX(5, (int c0, int c1, int c2, int c3, int c4), c0, c1, c2, c3, c4)
#undef WL_BOX
#undef WL_BULK_LIST

WL_INLINE_MEMBER void fence_proxy_async_shared_cta()
{
}
WL_INLINE_MEMBER void cp_async_bulk_commit_group()
{
    wl_bulk_commit();
}
template <int N> WL_INLINE_MEMBER void cp_async_bulk_wait_group_read()
{
    wl_bulk_wait_read(N);
}

} // namespace experimental
} // namespace device
} // namespace cuda

#include "warplens/cuda_cluster_objects.h"

#endif
