/* library_types.h - the types of elements that CUDA's libraries know. */
#ifndef WARPLENS_COMPAT_LIBRARY_TYPES_H
#define WARPLENS_COMPAT_LIBRARY_TYPES_H
#pragma GCC system_header
#include "warplens/cublas_types.h"
#endif
