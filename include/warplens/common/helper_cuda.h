/* helper_cuda.h - for programs that include "../common/helper_cuda.h". */
#ifndef WARPLENS_COMMON_HELPER_CUDA_H
#define WARPLENS_COMMON_HELPER_CUDA_H
#pragma GCC system_header
#include "warplens/compat/helper_cuda.h"
#endif
