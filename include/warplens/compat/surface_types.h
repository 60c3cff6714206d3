/* surface_types.h - types: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_SURFACE_TYPES_H
#define WARPLENS_COMPAT_SURFACE_TYPES_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
