/* curand.h - cuRAND's generators that the host calls: the numbers are warplens's own, and not traced. */
#ifndef WARPLENS_COMPAT_CURAND_H
#define WARPLENS_COMPAT_CURAND_H
#pragma GCC system_header
#define CURAND_H_ /* by which programs see that it is there */

#include "warplens/cuda.h"
#include "warplens/curand_host.h"

#define CURANDAPI
#define CURAND_VERSION 10300
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 0

#endif
