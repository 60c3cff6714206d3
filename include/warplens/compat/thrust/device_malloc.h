/* thrust/device_malloc.h - memory that kernels reach. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/device_ptr.h>
#include <thrust/system_error.h> /* comes along with that of CUDA's */

THRUST_NAMESPACE_BEGIN

inline device_ptr<void> device_malloc(const std::size_t bytes)
{
    return device_ptr<void>(::wl_library_allocate("thrust memory", bytes));
}
template <typename T> inline device_ptr<T> device_malloc(const std::size_t count)
{
    return device_ptr<T>(
        static_cast<T *>(::wl_library_allocate("thrust memory", count * sizeof(T))));
}

THRUST_NAMESPACE_END
