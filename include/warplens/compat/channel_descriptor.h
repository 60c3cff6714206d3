/* channel_descriptor.h - what kernels call: all of it is there already (warplens/cuda_program.h). */
#ifndef WARPLENS_COMPAT_CHANNEL_DESCRIPTOR_H
#define WARPLENS_COMPAT_CHANNEL_DESCRIPTOR_H
#pragma GCC system_header
#include "warplens/cuda.h"
#endif
