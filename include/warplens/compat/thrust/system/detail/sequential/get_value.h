/* thrust/system/detail/sequential/get_value.h - the host reads an element on the device. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/detail/sequential/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{

template <typename Policy, typename Pointer>
inline typename thrust::iterator_value<Pointer>::type get_value(execution_policy<Policy> &,
                                                                Pointer pointer)
{
    const ::wl::library_scope scope;
    return *thrust::raw_pointer_cast(pointer);
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
