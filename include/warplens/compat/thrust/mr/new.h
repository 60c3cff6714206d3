/* thrust/mr/new.h - where Thrust's vectors on the device have their memory: in an array that kernels reach, and that
 * Thrust, which the host runs, may touch. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/mr/memory_resource.h>

#include <new>

THRUST_NAMESPACE_BEGIN
namespace mr
{

struct new_delete_resource_base : memory_resource<> {
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *memory = ::wl_library_allocate("thrust memory", bytes ? bytes : 1);
        if (memory == nullptr)
            throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override
    {
        ::cudaFree(memory);
    }
};
struct new_delete_resource final : new_delete_resource_base {
};

} // namespace mr
THRUST_NAMESPACE_END
