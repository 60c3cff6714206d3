/* thrust/device_free.h - gives back what device_malloc gave. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/device_ptr.h>

THRUST_NAMESPACE_BEGIN

inline void device_free(device_ptr<void> pointer)
{
    ::cudaFree(pointer.get());
}

THRUST_NAMESPACE_END
