/* gallery.h - how a kernel joins the gallery: its parameters, its lesson, and the host code that
 * allocates, launches and checks the result against a plain C reference.
 *
 * A file traces/<topic>.c holds kernels and ends with `const struct gallery_topic topic_<topic>`. The
 * same files compile as C under warplens and as CUDA under nvcc, so they stay in the common subset:
 * casts on void pointers, no designators out of order, no C99-only syntax.
 */
#ifndef WARPLENS_GALLERY_H
#define WARPLENS_GALLERY_H

#include <stddef.h>
#include <stdlib.h>

#include "warplens/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GALLERY_PARAMS_MAX = 8 };

/* An integer parameter: -p name=value. Values outside [min, max] or no multiple of `multiple` are
 * refused before anything runs. */
struct gallery_param {
    const char *name;
    long long value; /* the default: the size the teaching texts use */
    long long min, max, multiple;
    const char *meaning;
};

struct gallery_args {
    const struct gallery_param *params;
    long long values[GALLERY_PARAMS_MAX];
};

struct gallery_kernel {
    const char *name;
    const char *summary; /* one line: what the kernel does */
    const char *lesson;  /* what its counters show: one or two sentences */
    void (*run)(const struct gallery_args *args);
    struct gallery_param params[GALLERY_PARAMS_MAX]; /* ends at the first without a name */
};

struct gallery_topic {
    const char *name, *title;
    const struct gallery_kernel *kernels;
    size_t count;
};

#define GALLERY_TOPIC(id, title, table)                                                            \
    extern const struct gallery_topic topic_##id;                                                  \
    const struct gallery_topic topic_##id = {#id, title, table, sizeof(table) / sizeof((table)[0])}

/* The value of a parameter; ends the program when the kernel has no such parameter. */
int gallery_int(const struct gallery_args *args, const char *name);
long long gallery_int64(const struct gallery_args *args, const char *name);

/* Small whole numbers, so that sums in floating point are exact in any order; other ones for another
 * array name. */
void gallery_fill_char(char *p, size_t n, const char *name);
void gallery_fill_short(short *p, size_t n, const char *name);
void gallery_fill_int(int *p, size_t n, const char *name);
void gallery_fill_float(float *p, size_t n, const char *name);
void gallery_fill_double(double *p, size_t n, const char *name);

/* Fails the run (with the array, the index, the value and the expected value) unless `elements`
 * elements of `element_bytes` from `device` equal `expected` bit for bit. */
void gallery_check(const char *name, const void *device, const void *expected, size_t elements,
                   size_t element_bytes);
/* Zeroed host memory; when there is none, the run fails and gallery_run_kernel returns. */
void *gallery_host(size_t bytes);

/* Fails the run, before anything is launched, when a combination of parameters is impossible. The
 * message names the parameters and says what is allowed. Returns `possible`. */
int gallery_require(int possible, const char *message);
/* The same for n elements in whole blocks: n must be a multiple of block, and not 0. */
int gallery_whole_blocks(int n, int block);

/* Device array `name` of `n` elements, filled; `name_host` is the host's copy. For structs of floats
 * and the like GALLERY_INPUT_OF names the element type. */
#define GALLERY_INPUT_OF(type, element, name, n)                                                   \
    type *name = NULL, *name##_host = (type *)gallery_host((size_t)(n) * sizeof(type));            \
    gallery_fill_##element((element *)name##_host, (size_t)(n) * sizeof(type) / sizeof(element),   \
                           #name);                                                                 \
    cudaMalloc(&name, (size_t)(n) * sizeof(type));                                                 \
    cudaMemcpy(name, name##_host, (size_t)(n) * sizeof(type), cudaMemcpyHostToDevice)
#define GALLERY_INPUT(type, name, n) GALLERY_INPUT_OF(type, type, name, n)

/* Device array `name`, not written; `name_host` is zeroed and takes the expected result. */
#define GALLERY_OUTPUT(type, name, n)                                                              \
    type *name = NULL, *name##_host = (type *)gallery_host((size_t)(n) * sizeof(type));            \
    cudaMalloc(&name, (size_t)(n) * sizeof(type));                                                 \
    gallery_clear(name, (size_t)(n) * sizeof(type))

/* Compares elements [from, from + n) with the host's copy. */
#define GALLERY_CHECK_RANGE(name, from, n)                                                         \
    gallery_check(#name, name + (from), name##_host + (from), (size_t)(n), sizeof(*name))
#define GALLERY_CHECK(name, n) GALLERY_CHECK_RANGE(name, 0, n)

#define GALLERY_FREE(name)                                                                         \
    do {                                                                                           \
        cudaFree(name);                                                                            \
        free(name##_host);                                                                         \
    } while (0)

/* 16 bytes that move as one word, at multiples of 16. A struct in a variable is memory to clang; a vector is a register. */
#ifdef __CUDACC__
typedef uint4 sixteen_bytes;
typedef float4 four_floats;
#else
typedef unsigned sixteen_bytes __attribute__((vector_size(16)));
typedef float four_floats __attribute__((vector_size(16)));
#endif

#ifdef __CUDACC__
#define gallery_clear(name, bytes) cudaMemset(name, 0, bytes)
#else
#define gallery_clear(name, bytes) ((void)0) /* reads as zero, and still counts as never written */
#endif

#ifdef __cplusplus
}
#endif
#endif
