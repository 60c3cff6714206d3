/* published_kernels.h - kernels of which times were published and that the gallery does not have. */
#ifndef WARPLENS_TESTS_PUBLISHED_KERNELS_H
#define WARPLENS_TESTS_PUBLISHED_KERNELS_H

#include "gallery.h"

enum { PUBLISHED_KERNELS = 4 };
extern const struct gallery_kernel published_kernels[PUBLISHED_KERNELS];

#endif
