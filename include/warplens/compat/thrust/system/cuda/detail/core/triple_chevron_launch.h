/* thrust/system/cuda/detail/core/triple_chevron_launch.h - how CUB launches its kernels: each is a launch of the program's,
 * at once, whatever it may overlap on a GPU. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>
#include <thrust/version.h>

/* Before there is a cuda_cub::detail, which would hide what this header means. */
#include <thrust/system/cuda/detail/execution_policy.h>

namespace wl
{

struct triple_chevron {
    config how;
    WL_NOT_INSTRUMENTED triple_chevron(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                       cudaStream_t stream = nullptr, bool /*overlaps*/ = false)
        : how(grid, block, shared_bytes, stream)
    {
    }
    template <class... P, class... Given>
    WL_NOT_INSTRUMENTED cudaError_t doit(void (*kernel)(P...), const Given &...given) const
    {
        launch(how, "", kernel, given...);
        return cudaPeekAtLastError();
    }
    template <class... P, class... Given>
    WL_NOT_INSTRUMENTED cudaError_t doit_host(void (*kernel)(P...), const Given &...given) const
    {
        return doit(kernel, given...);
    }
};

} // namespace wl

THRUST_NAMESPACE_BEGIN
namespace cuda_cub
{
namespace launcher
{
using ::wl::triple_chevron;
}
#if THRUST_VERSION >= 200000
namespace detail
{
using ::wl::triple_chevron;
}
#endif
} // namespace cuda_cub
THRUST_NAMESPACE_END
