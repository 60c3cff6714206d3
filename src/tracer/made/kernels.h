/* kernels.h - what NVIDIA's compiler has made of the kernel that is launched, where the program was linked with that
 * (warplens/nvcc_facts.h). */
#ifndef WARPLENS_TRACER_MADE_KERNELS_H
#define WARPLENS_TRACER_MADE_KERNELS_H

#include "warplens/nvcc_facts.h"

struct launch_key;

/* NULL: it is not known, or not which of several instances of a template it is. */
const struct wl_nvcc_kernel *made_of_launch(const struct launch_key *key);

#endif
