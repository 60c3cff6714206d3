/* cooperative_groups/memcpy_async.h - copies into shared memory that threads do not wait for: none that can be traced. The
 * header is there for those who include it and call nothing of it, as CUB does. */
#ifndef WARPLENS_COMPAT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPLENS_COMPAT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups
{

template <class Group, class... Rest> WL_INLINE void memcpy_async(const Group &, Rest...)
{
    static_assert(sizeof(Group) == 0, WL_REFUSED
                  "cooperative_groups::memcpy_async cannot run under warplens: copy with loads "
                  "and stores");
}
template <class Group> WL_INLINE void wait(const Group &group)
{
    group.sync();
}
template <unsigned Stages, class Group> WL_INLINE void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups
#endif
