/* sm_61_intrinsics.h - what kernels call: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_SM_61_INTRINSICS_H
#define WARPLENS_COMPAT_SM_61_INTRINSICS_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
