/* cuda.h - types and the runtime API; of the driver API there is nothing: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CUDA_H
#define WARPLENS_COMPAT_CUDA_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
