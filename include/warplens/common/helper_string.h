/* helper_string.h - for programs that include "../common/helper_string.h". */
#ifndef WARPLENS_COMMON_HELPER_STRING_H
#define WARPLENS_COMMON_HELPER_STRING_H
#pragma GCC system_header
#include "warplens/compat/helper_string.h"
#endif
