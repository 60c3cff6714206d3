/* tracer.h - runs instrumented kernels on the CPU and hands every warp access to a sink.
 *
 * One tracer a process: the compiler's hooks have no place for a context. tracer_start, then host
 * code that calls cudaMalloc and launch_... , then tracer_stop.
 */
#ifndef WARPLENS_TRACE_TRACER_H
#define WARPLENS_TRACE_TRACER_H

#include <stdbool.h>

#include "sim/access.h"

struct managed_range; /* sim/managed.h */

struct launch_info {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    const struct managed_range *managed; /* managed arrays; until launch_end */
    size_t managed_count;
};

enum trace_event_kind {
    TRACE_BARRIER,   /* the warp waits at __syncthreads */
    TRACE_WARP_END,  /* the warp's last lane has ended */
    TRACE_BLOCK_END, /* all its warps have ended; `warp` and `work` are 0 */
};

/* What happens to a warp besides accesses. */
struct trace_event {
    enum trace_event_kind kind;
    uint32_t block, warp; /* as in struct warp_access */
    uint16_t work;        /* instructions since the warp's event before */
};

/* Called in order: launch_begin, access and event..., launch_end, for each launch. Pointers live for
 * the call. Blocks come one after another; a warp's accesses and events are in its program order,
 * its block's other warps' in between. launch_end gets the bytes of shared memory a block used: its
 * static arrays and the dynamic part. `event` may be NULL. */
struct trace_sink {
    void *context;
    void (*launch_begin)(void *context, const struct launch_info *launch);
    void (*access)(void *context, const struct warp_access *access);
    void (*launch_end)(void *context, uint64_t shared_bytes_per_block);
    void (*event)(void *context, const struct trace_event *event);
};

/* What struct warp_access.site indexes: a static access in the source, on one array. */
struct trace_site {
    const char *file;  /* base name, "?" when unknown */
    uint32_t line;     /* 0 when unknown */
    const char *array; /* the array's name; "" when it has none */
    uint8_t space, op, width;
};

/* Begins a run: forgets device memory, sites and errors of the run before. The sink must live until
 * tracer_stop. */
void tracer_start(const struct trace_sink *sink);

/* Host code is a program's of its own: what it asks for in vain it is told, as CUDA does (a failed call
 * returns its error, an impossible launch leaves one), and what CUDA leaves undefined and hardware
 * allows is a warning. Before tracer_start; false at first: any of it is the run's error. */
void tracer_set_program(bool program);

/* NULL, or the first error since tracer_start: one message with file, line, block and thread. */
const char *tracer_error(void);

/* Records an error of the host side of a kernel (a wrong result, a failed allocation); the first
 * one of a run is kept. */
void tracer_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sites seen so far; they stay valid until the next tracer_start. */
const struct trace_site *tracer_sites(size_t *count);

/* The compiler that built the kernels: "gcc 12.2.0". */
const char *tracer_compiler(void);

/* Bytes of shared memory that a block of the running launch has used so far: its static arrays and
 * the dynamic part. */
uint64_t tracer_shared_bytes(void);

void tracer_stop(void);

#endif
