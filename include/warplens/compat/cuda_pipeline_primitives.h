/* cuda_pipeline_primitives.h - __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior. */
#pragma GCC system_header
#include "warplens/cuda_copies.h"
