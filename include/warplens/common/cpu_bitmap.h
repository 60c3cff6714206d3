/* cpu_bitmap.h - for programs that include "../common/cpu_bitmap.h". */
#ifndef WARPLENS_COMMON_CPU_BITMAP_H
#define WARPLENS_COMMON_CPU_BITMAP_H
#pragma GCC system_header
#include "warplens/compat/cpu_bitmap.h"
#endif
