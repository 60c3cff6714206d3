/* helper_functions.h - for programs that include "../common/helper_functions.h". */
#ifndef WARPLENS_COMMON_HELPER_FUNCTIONS_H
#define WARPLENS_COMMON_HELPER_FUNCTIONS_H
#pragma GCC system_header
#include "warplens/compat/helper_functions.h"
#endif
