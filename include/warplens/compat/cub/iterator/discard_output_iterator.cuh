/* cub/iterator/discard_output_iterator.cuh - CUB's own, or by Thrust's: CUB has had it until CUDA 13 (CUB 3). */
#pragma once
#pragma GCC system_header

#if __has_include_next(<cub/iterator/discard_output_iterator.cuh>)
#include_next <cub/iterator/discard_output_iterator.cuh>
#else

#include <cub/config.cuh>
#include <thrust/iterator/discard_iterator.h>

CUB_NAMESPACE_BEGIN
template <class Offset = ptrdiff_t>
using DiscardOutputIterator = THRUST_NS_QUALIFIER::discard_iterator<>;
CUB_NAMESPACE_END

#endif
