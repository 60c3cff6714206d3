/* cublas_api.h - as cublas_v2.h. */
#ifndef WARPLENS_COMPAT_CUBLAS_API_H
#define WARPLENS_COMPAT_CUBLAS_API_H
#pragma GCC system_header
#include "cublas_v2.h"
#endif
