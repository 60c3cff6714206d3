/* sobol.h - direction vectors of Sobol sequences for cuRAND. */
#ifndef WARPLENS_LIBRARIES_SOBOL_H
#define WARPLENS_LIBRARIES_SOBOL_H

#include <stdint.h>

enum {
    SOBOL_DIMENSIONS = 161,          /* there are */
    SOBOL_CURAND_DIMENSIONS = 20000, /* cuRAND has */
    SOBOL_BITS = 64
};

/* Vectors of a dimension from 0 on; of 32 bits they are the upper halves of the first 32. */
const uint64_t *sobol_vectors(unsigned dimension);
/* Point `index` of a dimension: in Gray's order, from 0 on, as a fraction of 2^64 (Antonov and Saleev, 1979). */
uint64_t sobol_point(unsigned dimension, uint64_t index);

#endif
