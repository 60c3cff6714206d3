/* program.c - the entry of a traced program: the tracer starts before main and stops at exit.
 *
 * The constructor runs before those of the program, which may already call CUDA, and the destructor
 * behind theirs. A program that is started by hand, without a descriptor for its trace, computes as
 * usual and is checked as usual.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "cu/program.h"
#include "trace/tracer.h"

enum { FIRST = 101 }; /* of the priorities that programs have, 0 to 100 being the C library's */

/* ---- The sink --------------------------------------------------------------------------------- */

static FILE *stream;
static struct trace_sink sink;

static void ignore_launch(void *context, const struct launch_info *launch)
{
    (void)context;
    (void)launch;
}

static void ignore_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
}

static void ignore_end(void *context, uint64_t shared_bytes_per_block)
{
    (void)context;
    (void)shared_bytes_per_block;
}

static void write_launch(void *context, const struct launch_info *launch)
{
    fprintf(context, "launch %s %u %u %u, %u %u %u, %llu\n", launch->kernel, launch->grid[0],
            launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
            (unsigned long long)launch->dynamic_shared_bytes);
}

static void write_access(void *context, const struct warp_access *access)
{
    size_t count;
    const struct trace_site *site = &tracer_sites(&count)[access->site];
    if (access->block == 0 && access->warp == 0)
        fprintf(context, "access %s:%u %s\n", site->file, (unsigned)site->line, site->array);
}

static void write_end(void *context, uint64_t shared_bytes_per_block)
{
    fprintf(context, "end %llu\n", (unsigned long long)shared_bytes_per_block);
}

/* What is told to the one who reads the trace. */
static const struct trace_sink *sink_open(FILE *out)
{
    sink = (struct trace_sink){out, write_launch, write_access, write_end, NULL};
    if (out == NULL)
        sink = (struct trace_sink){NULL, ignore_launch, ignore_access, ignore_end, NULL};
    return &sink;
}

/* `error`: NULL when there is none. */
static void sink_finish(FILE *out, const char *error)
{
    if (error)
        fprintf(out, "error %s\n", error);
    fclose(out);
}

/* ---- Start and end ---------------------------------------------------------------------------- */

/* A descriptor that is not open, or no number, is none. */
static FILE *stream_open(void)
{
    const char *text = getenv("WARPLENS_TRACE_FD");
    int fd = text ? atoi(text) : -1;
    if (fd <= 2 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return NULL;
    return fdopen(fd, "wb");
}

static __attribute__((constructor(FIRST))) void program_start(void)
{
    stream = stream_open();
    program_catch_faults();
    tracer_set_program(true);
    tracer_start(sink_open(stream));
}

void program_tell_error(void)
{
    static bool told;
    const char *error = tracer_error();
    if (error && !told) {
        fflush(stdout);
        fprintf(stderr, "warplens: %s\n", error);
    }
    told = told || error;
}

static __attribute__((destructor(FIRST))) void program_end(void)
{
    const char *error = tracer_error();
    program_tell_error();
    if (stream)
        sink_finish(stream, error);
    tracer_stop();
}
