/* math_functions.h - mathematical functions: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_MATH_FUNCTIONS_H
#define WARPLENS_COMPAT_MATH_FUNCTIONS_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
