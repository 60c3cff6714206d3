/* helper_timer.h - for programs that include "../common/helper_timer.h". */
#ifndef WARPLENS_COMMON_HELPER_TIMER_H
#define WARPLENS_COMMON_HELPER_TIMER_H
#pragma GCC system_header
#include "warplens/compat/helper_timer.h"
#endif
