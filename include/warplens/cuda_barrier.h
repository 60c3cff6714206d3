/* cuda_barrier.h - cuda::barrier<cuda::thread_scope_block>: one of all threads of the block, who all wait at it, is the block's
 * barrier; any other, and one to which bytes of bulk copies come, the hardware's (mbarrier). src/tracer/barrier_objects.c has the
 * functions, under the names here, so that a wait has the program's own line. What the hardware reads and writes of the object itself is
 * not traced.
 */
#ifndef WARPLENS_CUDA_BARRIER_H
#define WARPLENS_CUDA_BARRIER_H
#pragma GCC system_header

#include <cstddef>
#include <cstdint>
#include <utility>

#include "warplens/cuda_atomic_objects.h"

namespace cuda
{

namespace wl_detail
{

/* The same for all types of completion functions: of a template the names below would be several functions'. */
class alignas(8) block_barrier
{
    uint64_t state_; /* of barrier_objects.c */

  public:
    /* libcu++'s is a 64-bit integer, which programs name it by; one of those is in memory here, where a class's value is not. */
    class arrival_token
    {
        uint64_t phase_;

      public:
        arrival_token() = default;
        constexpr arrival_token(uint64_t phase) : phase_(phase)
        {
        }
        constexpr operator uint64_t() const
        {
            return phase_;
        }
    };
    block_barrier() = default;
    block_barrier(const block_barrier &) = delete;
    block_barrier &operator=(const block_barrier &) = delete;

    WL_CONVERGENT arrival_token arrive(ptrdiff_t update = 1) __asm__("wl_barrier_arrive");
    WL_CONVERGENT void wait(arrival_token &&token) const __asm__("wl_barrier_wait");
    WL_CONVERGENT void arrive_and_wait() __asm__("wl_barrier_arrive_and_wait");
    WL_CONVERGENT void wait_parity(bool parity) const __asm__("wl_barrier_wait_parity");
    WL_CONVERGENT void arrive_and_drop() __asm__("wl_barrier_drop");
    /* They wait (src/tracer/bulk/mbarriers.c). */
    WL_INLINE_MEMBER bool try_wait(arrival_token &&token) const
    {
        wait(::std::move(token));
        return true;
    }
    template <class Duration>
    WL_INLINE_MEMBER bool try_wait_for(arrival_token &&token, const Duration &) const
    {
        return try_wait(::std::move(token));
    }
    WL_INLINE_MEMBER bool try_wait_parity(bool parity) const
    {
        wait_parity(parity);
        return true;
    }
    static constexpr ptrdiff_t max()
    {
        return (1 << 20) - 1;
    }
};
WL_CONVERGENT void init(block_barrier *barrier, ptrdiff_t expected) __asm__("wl_barrier_init");

} // namespace wl_detail

template <thread_scope Scope, class Completion = void>
class barrier : public wl_detail::block_barrier
{
    static_assert(Scope == thread_scope_block, WL_REFUSED
                  "a barrier of more or fewer threads than a block's (cuda::barrier) cannot run "
                  "under warplens: use cuda::thread_scope_block");
    static_assert(::std::is_void<Completion>::value, WL_REFUSED
                  "a barrier with a completion function (cuda::barrier) cannot run under warplens: "
                  "call it in one thread behind the wait");
};

} // namespace cuda
#endif
