/* cuda_pipeline.h - its functions; the class of nvcuda::experimental is not there. */
#pragma GCC system_header
#include "warplens/cuda_copies.h"
