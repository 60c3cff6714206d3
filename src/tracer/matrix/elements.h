/* elements.h - the elements of matrix fragments, as numbers. Pure functions. */
#ifndef WARPLENS_TRACER_MATRIX_ELEMENTS_H
#define WARPLENS_TRACER_MATRIX_ELEMENTS_H

#include <stdint.h>

#include "warplens/cuda_matrix_calls.h"

unsigned element_bytes(enum wl_element type);
/* Integers and what is a float are exact as doubles. */
double element_read(enum wl_element type, const void *at);
/* Rounded to nearest; 8-bit floats, bf16 and tf32 are no results. */
void element_write(enum wl_element type, void *at, double value);

#endif
