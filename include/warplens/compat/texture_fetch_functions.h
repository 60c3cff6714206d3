/* texture_fetch_functions.h - what kernels call: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_TEXTURE_FETCH_FUNCTIONS_H
#define WARPLENS_COMPAT_TEXTURE_FETCH_FUNCTIONS_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
