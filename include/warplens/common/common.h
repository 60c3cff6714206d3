/* common.h - for programs that include "../common/common.h". */
#ifndef WARPLENS_COMMON_COMMON_H
#define WARPLENS_COMMON_COMMON_H
#pragma GCC system_header
#include "warplens/compat/common.h"
#endif
