/* thrust/system/detail/sequential/trivial_copy.h - a copy of bytes; those of an array on the device are written then. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/system/detail/sequential/general_copy.h>

#include <cstddef>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{

template <typename T> inline T *trivial_copy_n(const T *first, std::ptrdiff_t count, T *result)
{
    ::wl_library_copy(result, first, static_cast<std::size_t>(count) * sizeof(T));
    return result + count;
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
