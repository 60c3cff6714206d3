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
#include "tracer/tracer.h"
#include "trace_io/binary/binary_write.h"

enum { FIRST = 101 }; /* of the priorities that programs have, 0 to 100 being the C library's */

/* ---- The sink --------------------------------------------------------------------------------- */

static FILE *stream;
static struct binary_writer *writer; /* NULL: nobody reads a trace */
static struct trace_sink sink;

static bool ignore_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

/* Launches that are complete reach the reader even if the program dies later. */
static bool write_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    static struct trace_sink inner;
    if (inner.access == NULL)
        inner = binary_writer_sink(context);
    return sink_launch_end(&inner, shared_bytes_per_block) && binary_writer_flush(context);
}

static const struct trace_sink *sink_open(FILE *out)
{
    writer = out ? binary_writer_new(out) : NULL;
    sink = (struct trace_sink){.access = ignore_access};
    if (writer) {
        sink = binary_writer_sink(writer);
        sink.launch_end = write_launch_end;
    }
    return &sink;
}

/* After an error the trace has no end, and its reader knows. */
static void sink_finish(FILE *out, const char *error)
{
    if (writer && error == NULL)
        binary_writer_end(writer);
    binary_writer_free(writer);
    writer = NULL;
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
