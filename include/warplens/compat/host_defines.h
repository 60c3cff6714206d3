/* host_defines.h - qualifiers: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_HOST_DEFINES_H
#define WARPLENS_COMPAT_HOST_DEFINES_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
