/* device_launch_parameters.h - threadIdx and its like: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_DEVICE_LAUNCH_PARAMETERS_H
#define WARPLENS_COMPAT_DEVICE_LAUNCH_PARAMETERS_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
