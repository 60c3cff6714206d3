/* trace_file.h - a trace in a file, or on standard input, as a source. */
#ifndef WARPLENS_TRACE_IO_TRACE_FILE_H
#define WARPLENS_TRACE_IO_TRACE_FILE_H

#include "trace_io/format.h"
#include "stream/guard.h"

struct trace_file_options {
    const char *format; /* a name of trace_formats; NULL: by the file's beginning */
    const char *map;    /* csv: what its columns mean; NULL: as trace convert writes them */
    bool unguarded;     /* hands on whatever the file says: for sinks that check on their own */
};

struct trace_file {
    struct trace_input input;
    const struct trace_format *format;
    struct trace_file_options options;
    bool is_io; /* what went wrong in opening or running it is the system's, not the trace's */
    uint64_t file_bytes; /* 0: unknown, as of a pipe */
    struct guard guard;
    char message[INPUT_MESSAGE_BYTES + GUARD_MESSAGE_BYTES];
};

/* Opens a path, "-" for standard input; the path and the options' texts must outlive the file. NULL, or
 * a message, and then there is nothing to close; file->is_io: the system refused. */
const char *trace_file_open(struct trace_file *file, const char *path,
                            const struct trace_file_options *options);

/* The same for a stream that is open already and stays the caller's: it is not to be closed with
 * trace_file_close. `name`: for messages. */
const char *trace_file_open_stream(struct trace_file *file, FILE *stream, const char *name,
                                   const struct trace_file_options *options);

/* For a stream whose format is known. */
void trace_file_start(struct trace_file *file, FILE *stream, const char *name,
                      const struct trace_format *format, const struct trace_file_options *options);

/* Can be run once. What it gives a sink has passed a guard, and its names are printable. */
struct trace_source trace_file_source(struct trace_file *file);

void trace_file_close(struct trace_file *file);

#endif
