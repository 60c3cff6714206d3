/* tracer.h - runs instrumented kernels on the CPU and hands every warp access to a sink.
 *
 * One tracer a process: the compiler's hooks have no place for a context. tracer_start, then host
 * code that calls cudaMalloc and launch_... , then tracer_stop.
 */
#ifndef WARPLENS_TRACER_TRACER_H
#define WARPLENS_TRACER_TRACER_H

#include <stdbool.h>

#include "stream/stream.h"

/* Begins a run: forgets device memory, sites and errors of the run before. The sink must live until
 * tracer_stop. */
void tracer_start(const struct trace_sink *sink);

/* Host code is a program's of its own: what it asks for in vain it is told, as CUDA does (a failed call
 * returns its error, an impossible launch leaves one), and what CUDA leaves undefined and hardware
 * allows is a warning. Before tracer_start; false at first: any of it is the run's error. */
void tracer_set_program(bool program);
/* Whether the code of this processor can be read for how addresses are computed, which the joining below and the unrolling
 * of loops take (machine_code/address_form.h, loop_step.h). */
#if defined(__x86_64__)
enum { TRACER_READS_ADDRESSES = 1 };
#else
enum { TRACER_READS_ADDRESSES = 0 };
#endif
/* Whether neighbouring words of shared memory become one access, as nvcc has it (widths.h); false at first. */
void tracer_set_joining(bool joining);

/* The launches that are traced; NULL: all. Before tracer_start; it must live until tracer_stop. */
struct launch_select;
void tracer_set_select(struct launch_select *select);

/* Whether the program's own file still has what it must know about its kernels; after tracer_start. */
bool tracer_has_symbols(void);

/* NULL, or the first error since tracer_start: one message with file, line, block and thread. */
const char *tracer_error(void);

/* Records an error of the host side of a kernel (a wrong result, a failed allocation); the first
 * one of a run is kept. */
void tracer_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The compiler that built the kernels: "gcc 12.2.0". */
const char *tracer_compiler(void);

void tracer_stop(void);

#endif
