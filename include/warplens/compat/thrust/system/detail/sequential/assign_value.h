/* thrust/system/detail/sequential/assign_value.h - the host writes an element on the device. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{

template <typename Policy, typename To, typename From>
inline void assign_value(execution_policy<Policy> &, To to, From from)
{
    const ::wl::library_scope scope;
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
