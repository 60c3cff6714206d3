/* nvtx3/nvToolsExt.h - marks for a profiler's timeline, which have nothing to do here. */
#ifndef WARPLENS_COMPAT_NVTX3_NVTOOLSEXT_H
#define WARPLENS_COMPAT_NVTX3_NVTOOLSEXT_H
#pragma GCC system_header
#include "../nvToolsExt.h"
#endif
