/* curand_generator.h - a generator of the host's calls of cuRAND, which the files of cuRAND share.
 *
 *   curand.c        generators; pseudo-random numbers; arrays of numbers
 *   curand_quasi.c  quasi-random ones: dimensions, points, direction vectors (sobol.h)
 */
#ifndef WARPLENS_LIBRARIES_CURAND_GENERATOR_H
#define WARPLENS_LIBRARIES_CURAND_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplens/curand_host.h"

struct curandGenerator_st {
    curandRngType_t type;
    bool for_host; /* writes the host's memory */
    cudaStream_t stream;
    uint64_t seed, next; /* the number that comes next; of quasi-random ones the point */
    unsigned dimensions; /* of a point; 0: pseudo-random */
};

/* Whether numbers of 64 bits or others are wanted of a generator that has them, and whole points. */
curandStatus_t quasi_allows(const struct curandGenerator_st *generator, size_t n, bool wide);
/* Number i of n as a fraction of 2^64: those of the first dimension, then those of the second, ... */
uint64_t quasi_number(const struct curandGenerator_st *generator, size_t i, size_t n);
/* A line and the status for what only pseudo-random generators have here. */
curandStatus_t quasi_refuse(const char *function);

#endif
