/* cub/iterator/constant_input_iterator.cuh - CUB's own, or by Thrust's: CUB has had it until CUDA 13 (CUB 3). */
#pragma once
#pragma GCC system_header

#if __has_include_next(<cub/iterator/constant_input_iterator.cuh>)
#include_next <cub/iterator/constant_input_iterator.cuh>
#else

#include <cub/config.cuh>
#include <thrust/iterator/constant_iterator.h>

CUB_NAMESPACE_BEGIN
template <class T, class Offset = ptrdiff_t>
using ConstantInputIterator = THRUST_NS_QUALIFIER::constant_iterator<T, Offset>;
CUB_NAMESPACE_END

#endif
