/* cpu_anim.h - for programs that include "../common/cpu_anim.h". */
#ifndef WARPLENS_COMMON_CPU_ANIM_H
#define WARPLENS_COMMON_CPU_ANIM_H
#pragma GCC system_header
#include "warplens/compat/cpu_anim.h"
#endif
