/* cooperative_groups/scan.h - prefix sums over tiles and coalesced groups, by shuffles. */
#ifndef WARPLENS_COMPAT_COOPERATIVE_GROUPS_SCAN_H
#define WARPLENS_COMPAT_COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header

#include "reduce.h"

namespace cooperative_groups
{

template <class Group, class T, class Operation>
WL_INLINE T inclusive_scan(const Group &group, T value, Operation operation)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T before = group.shfl_up(value, by);
        if (group.thread_rank() >= by)
            value = operation(before, value);
    }
    return value;
}
template <class Group, class T> WL_INLINE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operation>
WL_INLINE T exclusive_scan(const Group &group, T value, Operation operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() ? before : T();
}
template <class Group, class T> WL_INLINE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
