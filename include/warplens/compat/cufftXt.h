/* cufftXt.h - plans of cuFFT by the types of data; of its callbacks and several GPUs there is nothing. */
#ifndef WARPLENS_COMPAT_CUFFT_XT_H
#define WARPLENS_COMPAT_CUFFT_XT_H
#pragma GCC system_header
#define _CUFFTXT_H_ /* by which programs see that it is there */

#include "cufft.h"

#endif
