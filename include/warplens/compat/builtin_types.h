/* builtin_types.h - vector types and the types of the runtime API: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_BUILTIN_TYPES_H
#define WARPLENS_COMPAT_BUILTIN_TYPES_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
