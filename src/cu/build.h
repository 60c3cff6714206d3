/* build.h - somebody's CUDA program -> an executable that runs under the tracer.
 *
 *   file.cu -E-> file.ii -rewrite-> file.cpp -compile-> file.o -+
 *                                                               +-> program
 *                                      libwarplens_program.a ---+
 *
 * .cu files are CUDA C++; the others C and C++, unless they have a kernel or a launch (language.h). */
#ifndef WARPLENS_CU_BUILD_H
#define WARPLENS_CU_BUILD_H

#include <stdbool.h>
#include <stddef.h>

struct confinement;

enum { CU_FILES_MAX = 64, CU_ERROR_BYTES = 1024 };

/* Which accesses a kernel makes: those that nvcc's code makes, as far as the compiler's passes are
 * nvcc's; or one for each that the language requires, nothing merged, passed on to a later load, or
 * moved out of a loop. Clang's passes cannot be turned off one by one: with it there are only
 * nvcc's, and SOURCE_IF_KNOWN takes those. */
enum cu_accesses { CU_ACCESSES_NVCC, CU_ACCESSES_SOURCE, CU_ACCESSES_SOURCE_IF_KNOWN };

struct cu_request {
    const char *const *files;
    size_t file_count;
    const char *const *options; /* for the compiler: -I..., -D..., -std=...; ends with NULL; may be
                                   NULL */
    int sm;                     /* compute capability: 13 is sm_13 */
    enum cu_accesses accesses;
    bool fmad; /* a * b + c is rounded once */
    const char *
        nvcc; /* NVIDIA's compiler, which says what it makes of the kernels: a path; "auto": where it usually is, if it
                         is there; NULL: it is not asked */
    const struct confinement *confinement; /* of the compiler; NULL: none */
};

struct cu_built {
    const char *path;    /* of the executable; until cu_build_close */
    char compiler[160];  /* "gcc 12.2.0 (--accesses nvcc)" */
    char nvcc[512];      /* what NVIDIA's compiler has made of it, or empty */
    char note[512];      /* why nothing is known from there although it was asked for, or empty */
    bool keeps_accesses; /* each one of the source: none are joined */
    bool has_openmp;     /* pragmas of OpenMP, whose loops run in one thread */
    int status;          /* 0, 1: a file or process failed, 2: the program cannot be built */
    char error[CU_ERROR_BYTES]; /* the first line of the message, without a newline */
    char *messages;             /* what the compiler said, or NULL */
};

/* Builds; false when it failed, and then there is nothing left of it but `built`. */
bool cu_build(const struct cu_request *request, struct cu_built *built);
/* Removes the executable, which a running program no longer needs, and frees the messages. */
void cu_build_close(struct cu_built *built);

/* Whether a file is taken for a program's source by its name. */
bool cu_build_takes(const char *file);

#endif
