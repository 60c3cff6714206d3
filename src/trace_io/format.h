/* format.h - the forms that traces come in. A new one is a row in format.c. */
#ifndef WARPLENS_TRACE_IO_FORMAT_H
#define WARPLENS_TRACE_IO_FORMAT_H

#include "stream/input.h"
#include "stream/stream.h"

struct trace_file;

/* Where a trace goes, as a sink and an end. */
struct trace_writer {
    struct trace_sink sink;
    void *state;
    /* Completes it: NULL, or what went wrong since the beginning, valid until `free`. */
    const char *(*end)(void *state);
    void (*free)(void *state);
};

struct trace_format {
    const char *name;
    const char *suffix; /* of file names, with its dot */
    const char *about;
    const char
        *unrecorded; /* what orders accesses and the form cannot hold: words of NOTE_UNRECORDED;
                               NULL: nothing */
    bool makes_directory; /* the output is a directory; `open` gets its path and no stream */
    bool has_parts;       /* the file names others, which hold the trace */
    /* Whether a file that begins so is one; the first format that says so is it. */
    bool (*is)(const char *head, size_t bytes);
    /* All of the file into the sink: NULL, or file->input.message. */
    const char *(*read)(struct trace_file *file, const struct trace_sink *sink);
    /* NULL: this form is read only. False: no memory, or the directory cannot be made. */
    bool (*open)(struct trace_writer *writer, FILE *out, const char *path);
};

extern const struct trace_format trace_formats[];
extern const size_t trace_format_count;

/* NULL when there is none. */
const struct trace_format *trace_format_named(const char *name);
const struct trace_format *trace_format_of_path(const char *path);
const struct trace_format *trace_format_of_head(const char *head, size_t bytes);

#endif
