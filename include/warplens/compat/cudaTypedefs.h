/* cudaTypedefs.h - the driver API's function types: of tensor maps alone. */
#ifndef WARPLENS_COMPAT_CUDATYPEDEFS_H
#define WARPLENS_COMPAT_CUDATYPEDEFS_H
#pragma GCC system_header
#include "warplens/cuda_tensor_map.h"
#endif
