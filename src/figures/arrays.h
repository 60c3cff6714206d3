/* arrays.h - the bytes of an array: global memory, by the rules. */
#ifndef WARPLENS_FIGURES_ARRAYS_H
#define WARPLENS_FIGURES_ARRAYS_H

#include "sim/counters/counters.h"

struct array_bytes {
    uint64_t used;  /* distinct bytes that each access wants */
    uint64_t moved; /* by its transactions */
};

struct array_bytes array_bytes(const struct counters *c);

#endif
