/* cusparse.h - cuSPARSE, computed by the host and not traced: src/libraries/cusparse.h. What is not declared here is
 * refused by its name. */
#ifndef WARPLENS_COMPAT_CUSPARSE_H
#define WARPLENS_COMPAT_CUSPARSE_H
#pragma GCC system_header
#define CUSPARSE_H_ /* by which programs see that it is there */

#include "cuComplex.h"
#include "warplens/cuda.h"
#include "warplens/cusparse_host.h"

#define CUSPARSEAPI
#define CUSPARSE_VERSION 12000
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0

#endif
