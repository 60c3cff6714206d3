/* cub/cub.cuh - CUB's own, with what it has had until CUDA 13 (CUB 3). */
#pragma once
#pragma GCC system_header

#include_next <cub/cub.cuh>

#include <cub/iterator/constant_input_iterator.cuh>
#include <cub/iterator/counting_input_iterator.cuh>
#include <cub/iterator/discard_output_iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>
