/* cooperative_groups/reduce.h - reductions over tiles and coalesced groups, by shuffles. */
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

template <unsigned Size, class Parent, class T, class Operation>
WL_INLINE T reduce(const thread_block_tile<Size, Parent> &group, T value, Operation operation)
{
    for (unsigned by = Size / 2; by > 0; by /= 2)
        value = operation(value, group.shfl_xor(value, by));
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
