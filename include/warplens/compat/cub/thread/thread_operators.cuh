/* cub/thread/thread_operators.cuh - CUB's own, with the names that it has had until CUDA 13 (CUB 3). */
#pragma once
#pragma GCC system_header

#include_next <cub/thread/thread_operators.cuh>

#include <cub/version.cuh>
#if CUB_VERSION >= 300000

#include <cuda/functional>
#include <cuda/std/functional>

CUB_NAMESPACE_BEGIN

using Equality = ::cuda::std::equal_to<>;
using Inequality = ::cuda::std::not_equal_to<>;
using Sum = ::cuda::std::plus<>;
using Difference = ::cuda::std::minus<>;
using Division = ::cuda::std::divides<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

WL_INLINE unsigned LaneId()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
WL_INLINE unsigned WarpId()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
WL_INLINE void CTA_SYNC()
{
    __syncthreads();
}
template <class T> WL_INLINE void Swap(T &a, T &b)
{
    T kept = a;
    a = b;
    b = kept;
}
template <class N, class D> WL_INLINE constexpr N DivideAndRoundUp(N n, D d)
{
    return n / d + (n % d != 0 ? 1 : 0);
}

CUB_NAMESPACE_END

#endif
