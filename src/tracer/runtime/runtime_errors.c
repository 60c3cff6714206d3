/* runtime_errors.c - what CUDA's calls answer: the last error, names and texts.
 *
 * A kernel that has failed leaves its error for good, as on hardware: every later call returns it.
 */
#include "tracer/runtime/runtime.h"

#include <stdarg.h>
#include <stdio.h>

#include "tracer/engine.h"

static cudaError_t last_error;

static const struct error_name {
    cudaError_t error;
    const char *name, *text;
} error_names[] = {
#define X(name, code, text) {name, #name, text},
#include "warplens/cuda_errors.def"
#undef X
};

void runtime_start(void)
{
    last_error = cudaSuccess;
    runtime_device_start();
}

void tracer_set_joining(bool joining)
{
    engine.joins_accesses = joining;
}

void tracer_set_program(bool program)
{
    engine.program = program;
}

cudaError_t runtime_state(void)
{
    return engine.failed ? engine.error : cudaSuccess;
}

cudaError_t runtime_answer(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t runtime_refuse(cudaError_t error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(engine.refusal, sizeof engine.refusal, format, arguments);
    va_end(arguments);
    if (engine.program)
        fprintf(stderr, "warplens: %s (answered with %s)\n", engine.refusal,
                cudaGetErrorName(error));
    else
        tracer_fail("%s", engine.refusal);
    return runtime_answer(error);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = engine.failed ? engine.error : last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return engine.failed ? engine.error : last_error;
}

static const struct error_name *find_name(cudaError_t error)
{
    for (size_t i = 0; i < sizeof error_names / sizeof *error_names; i++)
        if (error_names[i].error == error)
            return &error_names[i];
    return NULL;
}

const char *cudaGetErrorString(cudaError_t error)
{
    const struct error_name *known = find_name(error);
    return known ? known->text : "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    const struct error_name *known = find_name(error);
    return known ? known->name : "unrecognized error code";
}
