/* cooperative_groups/reduce.h - reductions over tiles and coalesced groups, by shuffles; in a tile of several warps each
 * warp leaves its result where all of the tile find it, behind the block's barrier.
 */
#ifndef WARPLENS_COMPAT_COOPERATIVE_GROUPS_REDUCE_H
#define WARPLENS_COMPAT_COOPERATIVE_GROUPS_REDUCE_H
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define WL_OPERATION(name, expression)                                                             \
    template <class T> struct name {                                                               \
        WL_INLINE_MEMBER T operator()(T a, T b) const                                              \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
WL_OPERATION(plus, a + b)
WL_OPERATION(less, b < a ? b : a)
WL_OPERATION(greater, a < b ? b : a)
WL_OPERATION(bit_and, a &b)
WL_OPERATION(bit_or, a | b)
WL_OPERATION(bit_xor, a ^ b)
#undef WL_OPERATION

namespace detail
{

/* By warp of the block, in words. A GPU has them in shared memory that is the system's own. */
enum { RESULT_WORDS_MAX = 4 };
inline uint64_t warp_results[32][RESULT_WORDS_MAX];

WL_NOT_INSTRUMENTED inline void leave_word(unsigned warp, unsigned i, uint64_t word)
{
    warp_results[warp][i] = word;
}
WL_NOT_INSTRUMENTED inline uint64_t find_word(unsigned warp, unsigned i)
{
    return warp_results[warp][i];
}

template <class T> WL_INLINE T result_of(unsigned warp)
{
    uint64_t words[(sizeof(T) + 7) / 8];
    T value;
    for (unsigned i = 0; i < sizeof words / 8; i++)
        words[i] = find_word(warp, i);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

template <unsigned Size, class T, class Operation>
WL_INLINE T reduce_warps(T value, Operation operation)
{
    static_assert(sizeof(T) <= 8 * RESULT_WORDS_MAX, "a reduction is of 32 bytes at most");
    const unsigned warp = block_rank() / 32, first = warp & ~(Size / 32 - 1);
    uint64_t words[(sizeof(T) + 7) / 8] = {0};
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned i = 0; i < sizeof words / 8 && lane() == 0; i++)
        leave_word(warp, i, words[i]);
    wl_syncthreads();
    value = result_of<T>(first);
    for (unsigned i = first + 1; i < first + Size / 32; i++)
        value = operation(value, result_of<T>(i));
    wl_syncthreads();
    return value;
}

} // namespace detail

/* The barriers of a tile of several warps are the block's: all of its threads have to come. */
template <unsigned Size, class Parent, class T, class Operation>
WL_INLINE T reduce(const thread_block_tile<Size, Parent> &, T value, Operation operation)
{
    constexpr unsigned in_warp = Size < 32 ? Size : 32;
    const thread_block_tile<in_warp> lanes;
    for (unsigned by = in_warp / 2; by > 0; by /= 2)
        value = operation(value, lanes.shfl_xor(value, by));
    if constexpr (Size > 32)
        value = detail::reduce_warps<Size>(value, operation);
    return value;
}

/* Every lane adds in the order of the ranks: all have the same result. */
template <class T, class Operation>
WL_INLINE T reduce(const coalesced_group &group, T value, Operation operation)
{
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = operation(result, group.shfl(value, rank));
    return result;
}

} // namespace cooperative_groups
#endif
