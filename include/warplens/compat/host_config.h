/* host_config.h - qualifiers: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_HOST_CONFIG_H
#define WARPLENS_COMPAT_HOST_CONFIG_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
