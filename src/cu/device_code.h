/* device_code.h - what NVIDIA's compiler makes of a program's kernels, where it is at hand (--nvcc).
 *
 * nvcc compiles the same sources, for the same GPU, with the same -I and -D; what it says of kernels is linked with the
 * program (include/warplens/nvcc_facts.h), whose tracer uses it. Nothing of its code runs. */
#ifndef WARPLENS_CU_DEVICE_CODE_H
#define WARPLENS_CU_DEVICE_CODE_H

#include "cu/build.h"
#include "cu/process.h"
#include "cu/toolchain.h"

struct device_code {
    const struct cu_request *request;
    const struct home *home;
    struct process_confined *confined; /* NULL: not confined */
};

/* Where NVIDIA's compiler is: on PATH, below $CUDA_PATH, $CUDA_HOME or the usual place; the caller's, NULL when it is nowhere. */
char *device_code_find(void);
#define DEVICE_CODE_NONE                                                                           \
    "--nvcc auto: no nvcc on PATH, below CUDA_PATH or CUDA_HOME, or in /usr/local/cuda/bin: "      \
    "registers stay unknown, and instructions as estimated"

/* Writes a source in C++ whose object is to be linked with the program: its path, which lives as long as the work
 * directory. NULL: there is nothing to link, and `note` says why; built->nvcc says what nvcc has made otherwise. False, with
 * built->error and built->status, when the request names a compiler that is none, or the program cannot be built. */
bool device_code_write(const struct device_code *code, struct cu_built *built, const char **source);

#endif
