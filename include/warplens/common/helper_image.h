/* helper_image.h - for programs that include "../common/helper_image.h". */
#ifndef WARPLENS_COMMON_HELPER_IMAGE_H
#define WARPLENS_COMMON_HELPER_IMAGE_H
#pragma GCC system_header
#include "warplens/compat/helper_image.h"
#endif
