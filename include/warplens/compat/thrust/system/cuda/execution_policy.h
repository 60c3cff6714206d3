/* thrust/system/cuda/execution_policy.h - thrust::cuda::par: as thrust::device, in whatever stream. */
#pragma once
#pragma GCC system_header

#include <thrust/detail/config.h>

#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cuda
{

struct par_t : thrust::system::cpp::detail::par_t {
    const par_t &on(cudaStream_t) const
    {
        return *this;
    }
};
static const par_t par, par_nosync;

} // namespace cuda
} // namespace system
namespace cuda
{
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
} // namespace cuda
THRUST_NAMESPACE_END
